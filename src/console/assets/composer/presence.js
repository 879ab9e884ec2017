// Shows who else has this newsletter open, that somebody has changed it, and how it was posted to chats, as `live.js` says.

const viewers = document.getElementById('viewers')
const changed = document.getElementById('changed')

const shownVersion = () => Number(document.getElementById('newsletter-header').dataset.version)

const initialsOf = (name) =>
  name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase()

function showViewers(names) {
  // A text that stays is not announced again.
  if (viewers.dataset.names === names.join()) return
  viewers.dataset.names = names.join()
  const chips = names.slice(0, 5).map((name) => {
    const chip = document.createElement('span')
    chip.className = 'viewer'
    chip.title = name
    chip.setAttribute('aria-hidden', 'true')
    chip.textContent = initialsOf(name)
    return chip
  })
  const text = document.createElement('span')
  text.textContent = translate('presence.also_open', { names: names.join(', ') })
  // CSS takes no room for an empty list.
  viewers.replaceChildren(...(names.length > 0 ? [...chips, text] : []))
}

/** Says who has changed the newsletter, with a link that shows it; the page does not change by itself. */
function showChange(by) {
  const text = document.createElement('span')
  text.textContent = by
    ? translate('presence.changed_by', { name: by })
    : translate('presence.changed')
  const link = document.createElement('a')
  link.className = 'button small'
  link.href = location.href
  link.textContent = translate('presence.show')
  link.addEventListener('click', async (event) => {
    if (typeof openView !== 'function') return
    event.preventDefault()
    await openView(location.pathname + location.search)
    changed.replaceChildren()
    focusElement(document.querySelector('#main h1'))
  })
  const notice = document.createElement('p')
  notice.className = 'notice row'
  notice.append(text, link)
  changed.replaceChildren(notice)
}

/** Forms of this page that were sent, and the newsletter that is loaded after them. */
async function untilOwnChangesAreShown() {
  await window.sentForm
  let awaited
  while (typeof queue !== 'undefined' && awaited !== queue) {
    awaited = queue
    await awaited
  }
}

/** A change of this page itself is shown already when its request is finished. */
async function onChanged({ by, version, blocks }) {
  await untilOwnChangesAreShown()
  const isInNewsletter = (block) =>
    document.querySelector(`#blocks a[href*="${CSS.escape(block)}"]`)
  if (blocks && !blocks.some(isInNewsletter)) return
  if (version && version <= shownVersion()) return
  // A message without a name repeats one that is shown.
  if (!by && version && version <= Number(changed.dataset.version)) return
  if (version) changed.dataset.version = version
  showChange(by)
}

// A request without a response must not prevent later ones.
const postsTimeoutMs = 30_000

/** Shows where the newsletter was posted and its preview delivered, or not; a form in use stays. */
async function showPosts() {
  const signal = AbortSignal.timeout(postsTimeoutMs)
  const response = await fetchInTeam(location.href, { signal })
  if (!response.ok || response.redirected) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const shown of document.querySelectorAll('[data-posts]')) {
    const current = page.getElementById(shown.id)
    const isNew = current !== null && !current.isEqualNode(shown)
    if (isNew && !shown.contains(document.activeElement)) shown.replaceWith(current)
  }
}

let isRequested = false
let areOutdated = false

/** One page is requested at a time, so that no older one replaces a newer one, and at most one more after it. */
async function refreshPosts() {
  areOutdated = true
  if (isRequested) return
  isRequested = true
  while (areOutdated) {
    areOutdated = false
    await showPosts().catch(() => {})
  }
  isRequested = false
}

/** Nothing is announced to a page that is hidden, such as one that was opened in the background, or without a connection. */
let canBeOutdated = document.visibilityState === 'hidden'

function onConnected() {
  if (canBeOutdated) void refreshPosts()
  canBeOutdated = true
}

document.addEventListener('visibilitychange', () => {
  canBeOutdated = true
})
document.addEventListener('tidings:live', ({ detail: { name, data } }) => {
  if (name === 'viewers') showViewers(data)
  if (name === 'changed') void onChanged(data)
  if (name === 'posts') void refreshPosts()
  if (name === 'connected') onConnected()
})
document.addEventListener('htmx:after:swap', () => {
  if (Number(changed.dataset.version) <= shownVersion()) changed.replaceChildren()
})
