// Shows who else has this newsletter open, and that somebody has changed it. The page stays connected while
// it is visible; browsers open only a few connections to one server.

const live = document.getElementById('live')
const viewers = document.getElementById('viewers')
const changed = document.getElementById('changed')
const pollIntervalMs = 15_000

let source = null
let pollTimer

const shownVersion = () => Number(document.getElementById('newsletter-header').dataset.version)

const initialsOf = (name) =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()

function showViewers(names) {
  const chips = names.slice(0, 5).map((name) => {
    const chip = document.createElement('span')
    chip.className = 'viewer'
    chip.title = name
    chip.setAttribute('aria-hidden', 'true')
    chip.textContent = initialsOf(name)
    return chip
  })
  const text = document.createElement('span')
  text.textContent =
    names.length === 0 ? '' : translate('live.also_open', { names: names.join(', ') })
  viewers.replaceChildren(...chips, text)
}

/** Says who has changed the newsletter, with a link that shows it; the page does not change by itself. */
function showChange(by) {
  const text = document.createElement('span')
  text.textContent = by ? translate('live.changed_by', { name: by }) : translate('live.changed')
  const link = document.createElement('a')
  link.className = 'button small'
  link.href = location.href
  link.textContent = translate('live.show')
  link.addEventListener('click', (event) => {
    if (typeof openView !== 'function') return
    event.preventDefault()
    changed.replaceChildren()
    void openView(location.pathname + location.search)
  })
  const notice = document.createElement('p')
  notice.className = 'notice row'
  notice.append(text, link)
  changed.replaceChildren(notice)
}

/** A change of this page itself is shown already when its request is finished. */
async function onChanged({ by, version, block }) {
  if (typeof queue !== 'undefined') await queue
  if (block && !document.querySelector(`#blocks a[href*="${CSS.escape(block)}"]`)) return
  if (version && version <= shownVersion()) return
  // A message without a name repeats one that is shown.
  if (!by && version && version <= Number(changed.dataset.version)) return
  if (version) changed.dataset.version = version
  showChange(by)
}

function connect() {
  if (source || document.visibilityState !== 'visible') return
  source = new EventSource(live.dataset.source)
  source.addEventListener('open', stopPolling)
  source.addEventListener('viewers', ({ data }) => showViewers(JSON.parse(data)))
  source.addEventListener('changed', ({ data }) => void onChanged(JSON.parse(data)))
  source.addEventListener('error', () => {
    showViewers([])
    // A browser connects again by itself, unless the server has refused it.
    if (source?.readyState === EventSource.CLOSED) startPolling()
  })
}

function disconnect() {
  source?.close()
  source = null
  stopPolling()
}

/** Asks for the version now and then, and tries to connect again. */
function startPolling() {
  disconnect()
  pollTimer = setInterval(async () => {
    const response = await fetch(live.dataset.source).catch(() => null)
    if (!response?.ok || response.redirected) return
    await onChanged(await response.json())
    connect()
  }, pollIntervalMs)
}

function stopPolling() {
  clearInterval(pollTimer)
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') connect()
  else disconnect()
})
document.addEventListener('htmx:after:swap', () => {
  if (Number(changed.dataset.version) <= shownVersion()) changed.replaceChildren()
})
addEventListener('pagehide', disconnect)
connect()
