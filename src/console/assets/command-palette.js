// The command palette: Ctrl+K or ⌘K opens the search over the page, and the arrow keys move in it.
// Without this script, the search is a page of its own.

const palette = document.getElementById('command-palette')
const paletteText = document.getElementById('command-palette-text')
const paletteCount = document.getElementById('command-palette-count')
/** The text of the results that are shown. */
let shownQuery = null
const paletteLinks = () => [...palette.querySelectorAll('.search-result')]

const openedKey = `opened:${document.body.dataset.account}`

/** The paths of the items that were opened last in this browser; they contain ids and no titles. */
function openedPaths() {
  try {
    return JSON.parse(localStorage.getItem(openedKey)) ?? []
  } catch {
    return []
  }
}

/** Remembers the item of this page. */
function rememberOpened() {
  const { pathname } = location
  if (!/^\/(?:library\/cb|newsletters\/nl)_\w+$|^\/events\/(?!new$)[\w-]+$/.test(pathname)) return
  const others = openedPaths().filter((path) => path !== pathname)
  localStorage.setItem(openedKey, JSON.stringify([pathname, ...others].slice(0, 6)))
}

function openPalette() {
  if (palette.open) return
  palette.showModal()
  paletteText.select()
  void showResults()
}

/** Shows the results for the text. An answer that is late does not replace a newer one. */
async function showResults() {
  const query = new URLSearchParams({ q: paletteText.value, opened: openedPaths().join() })
  const results = document.getElementById('command-palette-results')
  try {
    const response = await fetch(`/search?${query}`, { headers: { 'hx-request': 'true' } })
    if (response.redirected || !response.ok)
      return location.assign(`/search?${new URLSearchParams({ q: paletteText.value })}`)
    const html = await response.text()
    if (query.get('q') !== paletteText.value) return
    const hadFocus = results.contains(document.activeElement)
    results.innerHTML = html
    paletteCount.textContent = results.querySelector('p').textContent
    shownQuery = query.get('q')
    if (hadFocus) paletteText.focus()
  } catch {
    shownQuery = null
    results.textContent = translate('command-palette.cannot_be_reached')
    paletteCount.textContent = results.textContent
  }
}

/** Opens the first result of the text. The results of an earlier text are not what the person wants. */
async function openFirstResult() {
  clearTimeout(paletteTimer)
  if (shownQuery !== paletteText.value) await showResults()
  if (shownQuery === paletteText.value) paletteLinks()[0]?.click()
}

/** Moves the focus by one result; above the first one is the text. */
function movePalette(step) {
  const stops = [paletteText, ...paletteLinks()]
  const index = stops.indexOf(document.activeElement)
  stops[Math.min(Math.max(index + step, 0), stops.length - 1)].focus()
}

const paletteKeys = {
  ArrowDown: () => movePalette(1),
  ArrowUp: () => movePalette(-1),
  Enter: openFirstResult,
}

palette?.addEventListener('keydown', (event) => {
  const action = event.isComposing ? undefined : paletteKeys[event.key]
  if (action && (event.key !== 'Enter' || event.target === paletteText)) {
    event.preventDefault()
    action(event)
  } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) paletteText.focus()
})

let paletteTimer
paletteText?.addEventListener('input', () => {
  clearTimeout(paletteTimer)
  // A request per pause, not per letter.
  paletteTimer = setTimeout(showResults, 120)
})

// A click beside the content is a click on the dialog itself.
palette?.addEventListener('click', ({ target }) => target === palette && palette.close())

document.addEventListener('keydown', (event) => {
  if (!palette || event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey) return
  // In the editor, it adds a link.
  if (event.target.isContentEditable || document.querySelector('dialog[open]')) return
  if (event.altKey || event.shiftKey) return
  event.preventDefault()
  openPalette()
})

document.addEventListener('click', (event) => {
  if (!palette || !event.target.closest('.search-link') || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  openPalette()
})

if (palette) rememberOpened()

// An address that names a setting leads to its field, or to the dialog that it names.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target || !palette) return
  for (let part = target.closest('details'); part; part = part.parentElement.closest('details'))
    part.open = true
  if (target.matches('dialog:not([open])')) target.showModal()
  else if (target.matches('input, select, textarea')) target.focus()
}

addEventListener('hashchange', openTarget)
// A link to the address of this page does not change it.
palette?.addEventListener('click', ({ target }) => {
  const link = target.closest('a')
  if (!link || link.pathname !== location.pathname || link.hash === '') return
  palette.close()
  if (link.hash === location.hash) openTarget()
})
if (location.hash) openTarget()
