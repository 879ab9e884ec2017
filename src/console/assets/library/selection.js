// Selects blocks of the list for one decision about all of them.

let lastChecked

/** Selects the rows between the last selected one and this one, as lists of files do. */
function selectRange(box) {
  const boxes = [...blockList().querySelectorAll('input[type=checkbox]')]
  const ends = [boxes.indexOf(lastChecked ?? box), boxes.indexOf(box)].toSorted((a, b) => a - b)
  for (const one of boxes.slice(Math.max(ends[0], 0), ends[1] + 1)) one.checked = true
}

document.addEventListener('click', (event) => {
  const box = event.target
  if (!box.matches?.('.block-row input[type="checkbox"]')) return
  if (event.shiftKey && box.checked) selectRange(box)
  lastChecked = box
  showSelection()
})

const maxSelected = 200

function selectAll(isChecked) {
  const boxes = [...blockList().querySelectorAll('input[type=checkbox]')]
  for (const box of boxes.slice(0, maxSelected)) box.checked = isChecked
  document.getElementById('select-all').checked = isChecked
  showSelection()
}

/** Says how many blocks are selected, and offers those on older pages once all of this one are. */
function showSelection() {
  const { length: count } = blockList().querySelectorAll('input[type=checkbox]:checked')
  const text = count === 0 ? '' : translate('library.selected', { count })
  document.getElementById('selected-count').textContent = text
  const isAll = document.getElementById('select-all').checked && count < maxSelected
  document.getElementById('select-older').hidden =
    !isAll || !document.getElementById('older-blocks')
}

/** Adds the blocks of older pages to the list, as many as can be decided about at once, and selects them. */
async function selectOlder() {
  for (;;) {
    const link = document.getElementById('older-blocks')
    if (!link || blockList().querySelectorAll('.block-row').length >= maxSelected) break
    const { response, page } = await fetchDocument(link.href)
    if (!response.ok || response.redirected) return location.assign(link.href)
    const rows = page.querySelectorAll('#block-list > .block-row')
    blockList().append(...[...rows].map((row) => document.importNode(row, true)))
    const next = page.getElementById('older-blocks')
    if (next) link.replaceWith(document.importNode(next, true))
    else link.remove()
  }
  selectAll(true)
  announce(document.getElementById('selected-count').textContent)
  document.dispatchEvent(new Event('tidings:content'))
}

document.addEventListener('change', ({ target }) => {
  if (target.id === 'select-all') selectAll(target.checked)
  if (target.id === 'assignee') target.form.requestSubmit()
  if (target.matches('.block-row-check')) showSelection()
})

document.addEventListener('click', ({ target }) => {
  if (target.id === 'select-older') selectOlder().catch(reportFailure)
})
