// Lets people drag blocks within the outline, and from the library into the outline or the newsletter.

const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches

/** The scripts that this page loads when they are needed. The first one makes lists sortable. */
const laterScripts = JSON.parse(document.getElementById('later-scripts').textContent)

const sortableLoaded = loadScript(laterScripts.shift())

/** A handle for dragging. The buttons of a row do the same for keyboards and screen readers. */
function addHandle(row) {
  if (row.querySelector('.drag-handle')) return
  const handle = document.createElement('span')
  handle.className = 'drag-handle'
  row.prepend(handle)
}

/** Makes a list of blocks sortable. `composer.js` calls it. */
window.makeSortable = async (list) => {
  await sortableLoaded
  // A list that was replaced in the meantime is not sorted any more.
  if (!window.Sortable || !list.isConnected) return
  const isLibrary = list.dataset.sortable === 'library'
  createSortable(list, isLibrary)
  // A handle appears when it works.
  for (const row of list.querySelectorAll(isLibrary ? 'li[data-block]' : 'li')) addHandle(row)
}

function createSortable(list, isLibrary) {
  window.Sortable.create(list, {
    group: isLibrary
      ? { name: 'library', pull: 'clone', put: false }
      : // The type of a block determines its section, so a block is sorted within its section only.
        { name: list.id, pull: false, put: ['library'] },
    sort: !isLibrary,
    handle: '.drag-handle',
    animation: prefersReducedMotion ? 0 : 150,
    onStart: ({ item }) => startDrag(item),
    onEnd: ({ item, from, to, oldIndex, newIndex }) => {
      endDrag()
      if (to.dataset.sortable === 'library' || (from === to && oldIndex === newIndex)) return
      const before = item.nextElementSibling?.id ?? ''
      if (isLibrary) submitForm(from.closest('form'), { add: item.dataset.block, before })
      else submitForm(to.closest('form'), { move: item.id, before })
    },
  })
}

/** What is dragged: the id of a block of the library, or of an element of the newsletter. */
let dragged = null

function startDrag(item) {
  dragged = { add: item.dataset.block ?? '', move: item.dataset.block ? '' : item.id }
  canvasArea.classList.add('takes-blocks')
}

function endDrag() {
  dragged = null
  canvasArea.classList.remove('takes-blocks')
  document.getElementById('drop-line')?.remove()
}

/** The elements of the newsletter that have a place in its order, from the top. */
const orderedRegions = () =>
  [...document.querySelectorAll('.canvas-region')].filter(({ dataset }) =>
    /^n[be]_/.test(dataset.mark),
  )

/** The element before which a block is dropped at this height; none at the end. */
const regionBelow = (y) =>
  orderedRegions().find((region) => {
    const { top, height } = region.getBoundingClientRect()
    return y < top + height / 2
  })

/** Shows a line where the block is placed. */
function showDropLine(y) {
  const below = regionBelow(y)
  const last = orderedRegions().at(-1)
  const edge = below?.getBoundingClientRect().top ?? last?.getBoundingClientRect().bottom ?? y
  const line = document.getElementById('drop-line') ?? document.createElement('div')
  line.id = 'drop-line'
  line.style.top = `${edge - canvasArea.getBoundingClientRect().top}px`
  canvasArea.append(line)
}

/** The form that changes the order, or that adds blocks. */
const placementForm = ({ add }) =>
  document.querySelector(add ? '#library form[method=post]' : '#blocks form[method=post]')

canvasArea.addEventListener('dragover', (event) => {
  if (!dragged) return
  event.preventDefault()
  showDropLine(event.clientY)
})

canvasArea.addEventListener('drop', (event) => {
  if (!dragged) return
  event.preventDefault()
  const values = { ...dragged, before: regionBelow(event.clientY)?.dataset.mark ?? '' }
  endDrag()
  if (values.before !== values.move) submitForm(placementForm(values), values)
})

canvasArea.addEventListener('dragstart', ({ target }) => {
  const region = target.closest?.('.canvas-region')
  if (/^n[be]_/.test(region?.dataset.mark ?? '')) {
    dragged = { add: '', move: region.dataset.mark }
    canvasArea.classList.add('takes-blocks')
  }
})
canvasArea.addEventListener('dragend', endDrag)
