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

/** Remembers the item of this page. Errors of a full or blocked storage are ignored. */
function rememberOpened() {
  const { pathname } = location
  if (!/^\/(?:library\/cb|newsletters\/nl)_\w+$|^\/events\/(?!new$)[\w-]+$/.test(pathname)) return
  const others = openedPaths().filter((path) => path !== pathname)
  try {
    localStorage.setItem(openedKey, JSON.stringify([pathname, ...others].slice(0, 6)))
  } catch {}
}

function openPalette() {
  if (palette.open) return
  palette.showModal()
  paletteText.select()
  void showResults()
}

/** The buttons and links of this page whose name contains all words of a text. */
function findPageActions(text) {
  const words = text.toLowerCase().split(/\s+/)
  const shown = new Set(paletteLinks().map(({ href }) => href))
  const targets = document.querySelectorAll(
    'main :is(.page-actions, .block-actions, #newsletter-header .tabs) :is(a, button)',
  )
  return [...targets]
    .map((target) => ({ target, title: target.textContent.trim() || target.ariaLabel }))
    .filter(
      ({ target, title }) =>
        title &&
        target.checkVisibility() &&
        !target.disabled &&
        target.ariaCurrent !== 'page' &&
        !(target.href && shown.has(target.href)) &&
        words.every((word) => title.toLowerCase().includes(word)),
    )
}

/** Does what the button or link of the page does. */
function runPageAction(target) {
  palette.close()
  target.focus()
  target.click()
}

/** Adds the actions of this page: after the items opened last, and first when one begins with the text. */
function addPageActions(results, text) {
  const actions = findPageActions(text)
  if (actions.length === 0) return
  results.querySelector('.empty')?.remove()
  const section = document.createElement('section')
  const heading = document.createElement('h2')
  heading.textContent = translate('command-palette.on_this_page')
  const list = document.createElement('ul')
  for (const { target, title } of actions) {
    const item = document.createElement('li')
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'search-result'
    const icon =
      target.querySelector('svg') ??
      document.querySelector('.main-nav [aria-current] svg') ??
      document.querySelector('.search-link svg')
    const label = document.createElement('span')
    label.className = 'search-result-title'
    label.textContent = title
    button.append(icon.cloneNode(true), label)
    button.addEventListener('click', () => runPageAction(target))
    item.append(button)
    list.append(item)
  }
  section.append(heading, list)
  const [first] = results.querySelectorAll('section')
  const begins = ({ title }) => title.toLowerCase().startsWith(text.toLowerCase())
  if (text === '') first.after(section)
  else if (actions.some(begins)) first ? first.before(section) : results.append(section)
  else results.append(section)
}

/** Shows the results for the text. An answer that is late does not replace a newer one. */
async function showResults() {
  const query = new URLSearchParams({ q: paletteText.value, opened: openedPaths().join() })
  const results = document.getElementById('command-palette-results')
  try {
    const response = await fetchInTeam(`/search?${query}`, { headers: { 'hx-request': 'true' } })
    if (response.redirected || !response.ok)
      return location.assign(`/search?${new URLSearchParams({ q: paletteText.value })}`)
    const html = await response.text()
    if (query.get('q') !== paletteText.value) return
    const hadFocus = results.contains(document.activeElement)
    results.innerHTML = html
    addPageActions(results.firstElementChild, paletteText.value.trim())
    const count = paletteLinks().length
    paletteCount.textContent =
      count === 0
        ? results.querySelector('p').textContent
        : translate('command-palette.results', { count })
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
