// Keyboard shortcuts, the preview beside the list, review in place, and new blocks as they arrive.
// The library also works without this script.

let blockList = document.getElementById('block-list')
const previewPanel = document.getElementById('preview-panel')
const hasPreviewPanel = matchMedia('(width >= 64rem)')
const titleLinks = () => [...(blockList?.querySelectorAll('.block-row-title') ?? [])]
const rowOf = (element) => element.closest('.block-row')
let previewedRow

/** Shows a block beside the list. On narrow screens the link opens the page of the block instead. */
async function showPreview(link) {
  previewedRow?.removeAttribute('aria-current')
  previewedRow = rowOf(link)
  previewedRow.setAttribute('aria-current', 'true')
  const response = await fetch(link.href)
  if (!response.ok) return location.assign(link.href)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const block = page.getElementById('block')
  if (!block || previewedRow !== rowOf(link)) return
  previewPanel.replaceChildren(document.importNode(block, true))
  // Actions in the preview lead back to this list.
  const backField = previewPanel.querySelector('[name="back"]')
  if (backField) backField.value = location.pathname + location.search
  previewPanel.scrollTop = 0
  document.dispatchEvent(new Event('tidings:content'))
}

document.querySelector('.library').addEventListener('click', (event) => {
  const link = event.target.closest('.block-row-title')
  if (!link || !hasPreviewPanel.matches || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  void showPreview(link)
})

function selectRow(step) {
  const all = titleLinks()
  const current = document.activeElement?.closest?.('.block-row') ?? previewedRow
  const index = all.findIndex((link) => rowOf(link) === current)
  const link = all[Math.min(Math.max(index + step, 0), all.length - 1)]
  if (!link) return
  link.focus()
  if (hasPreviewPanel.matches) void showPreview(link)
}

/** Changes the status of a block in place: the list, the page and the scroll position stay. */
async function review(path, to) {
  const id = path.split('/').at(-2)
  const body = new URLSearchParams({ to, back: location.pathname + location.search })
  body.set('csrf', document.querySelector('[name=csrf]').value)
  const headers = { 'hx-request': 'true' }
  const response = await fetch(path, { method: 'POST', body, headers })
  if (response.status === 401) return (await signInAgain()) && review(path, to)
  if (!response.ok) return location.reload()
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  document.getElementById('tabs').replaceWith(page.getElementById('tabs'))
  const title = page.querySelector('.block-row-title').textContent
  const row = blockList.querySelector(`[data-id="${id}"]`)
  if (row) replaceRow(row, page.querySelector('.block-row'))
  announce(translate(to === 'ready' ? 'library.approved' : 'library.draft_again', { title }))
  document.dispatchEvent(new Event('tidings:content'))
}

function replaceRow(row, changedRow) {
  const hadFocus = row.contains(document.activeElement)
  row.replaceWith(changedRow)
  if (hadFocus)
    changedRow.querySelector('.block-row-actions button')?.focus({ preventScroll: true })
  if (previewedRow === row) void showPreview(changedRow.querySelector('.block-row-title'))
}

function announce(text) {
  document.getElementById('announcement').textContent = text
}

// In the capture phase: console.js, which prevents a second submission, must not see these forms.
document.addEventListener(
  'submit',
  (event) => {
    const { target: form, submitter } = event
    const path = submitter?.getAttribute('formaction') ?? form.getAttribute('action')
    if (!/^\/library\/\w+\/status$/.test(path) || !form.closest('.library')) return
    event.preventDefault()
    const to = submitter.name === 'to' ? submitter.value : form.elements.to.value
    review(path, to).catch(() => announce(translate('common.cannot_be_reached')))
  },
  { capture: true },
)

document.addEventListener('change', ({ target }) => {
  if (target.id !== 'select-all') return
  for (const box of blockList.querySelectorAll('input[type=checkbox]')) box.checked = target.checked
})

async function approve(row) {
  const button = row.querySelector('[data-approve]')
  if (!button) return
  await review(button.getAttribute('formaction'), 'ready')
  selectRow(1)
}

const actions = {
  j: () => selectRow(1),
  k: () => selectRow(-1),
  a: (row) => row && void approve(row),
  e: (row) => row?.querySelector('[data-edit]')?.click(),
  x: (row) => row?.querySelector('input[type="checkbox"]')?.click(),
  '/': () => document.getElementById('q').focus(),
  '?': () => {
    const help = document.getElementById('shortcuts')
    help.open = true
    help.querySelector('summary').focus()
  },
}

const shortcutsSetting = document.getElementById('use-shortcuts')
shortcutsSetting.checked = localStorage.getItem('tidings-shortcuts') !== 'off'
shortcutsSetting.addEventListener('change', () => {
  localStorage.setItem('tidings-shortcuts', shortcutsSetting.checked ? 'on' : 'off')
})

document.addEventListener('keydown', (event) => {
  if (!shortcutsSetting.checked || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest('textarea, select, input:not([type="checkbox"])')) return
  const action = actions[event.key]
  if (!action) return
  event.preventDefault()
  action(event.target.closest('.block-row') ?? previewedRow)
})

const filters = document.getElementById('filters')
const filteredUrl = () => `/library?${new URLSearchParams(new FormData(filters))}`

/** Shows the blocks that match the filters. The form and the focus stay. */
async function applyFilters() {
  const url = filteredUrl()
  const response = await fetch(url)
  if (!response.ok || response.redirected) return location.assign(url)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  // The person has changed a filter in the meantime.
  if (url !== filteredUrl()) return
  for (const id of ['tabs', 'blocks']) {
    document.getElementById(id).replaceWith(page.getElementById(id))
  }
  blockList = document.getElementById('block-list')
  for (const element of document.querySelectorAll('#blocks [data-requires-script]')) {
    element.hidden = false
  }
  history.replaceState(null, '', url)
  const count = titleLinks().length
  announce(translate(count === 1 ? 'library.one_matches' : 'library.matches', { count }))
  document.dispatchEvent(new Event('tidings:content'))
}

let filterTimer
filters.addEventListener('input', ({ target }) => {
  clearTimeout(filterTimer)
  filterTimer = setTimeout(
    () => applyFilters().catch(() => announce(translate('common.cannot_be_reached'))),
    target.tagName === 'SELECT' ? 0 : 250,
  )
})

const pollIntervalMs = 5_000

/** Inserts new blocks above the list. The focus and the selection stay. */
async function insertNewBlocks() {
  const newest = blockList.querySelector('.block-row')?.dataset.id ?? ''
  const response = await fetch(`${blockList.dataset.newer}&after=${newest}`)
  if (!response.ok || response.redirected) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const rows = [...page.querySelectorAll('.block-row')]
  if (rows.length === 0 || (blockList.querySelector('.block-row')?.dataset.id ?? '') !== newest)
    return
  document.getElementById('tabs').replaceWith(page.getElementById('tabs'))
  blockList.prepend(...rows.map((row) => document.importNode(row, true)))
  document.getElementById('empty-state')?.remove()
  const count = rows.length
  announce(translate(count === 1 ? 'library.one_new' : 'library.new', { count }))
  document.dispatchEvent(new Event('tidings:content'))
}

if (blockList) {
  setInterval(() => {
    if (document.visibilityState === 'visible' && blockList.dataset.newer)
      insertNewBlocks().catch(() => {})
  }, pollIntervalMs)
}
