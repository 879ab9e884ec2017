// The library with a keyboard, beside its list, and as things come in. It all works without.

const inbox = document.getElementById('inbox')
const pane = document.getElementById('pane')
const wide = matchMedia('(width >= 64rem)')
const links = () => [...inbox.querySelectorAll('.item-link')]
const itemOf = (element) => element.closest('.item')
let shown

/** Shows a block beside the list; on narrow screens its page opens instead. */
async function look(link) {
  shown?.removeAttribute('aria-current')
  shown = itemOf(link)
  shown.setAttribute('aria-current', 'true')
  const response = await fetch(link.href)
  if (!response.ok) return location.assign(link.href)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const block = page.getElementById('block')
  if (!block || shown !== itemOf(link)) return
  pane.replaceChildren(document.importNode(block, true))
  // What is done from here leads back here.
  const back = pane.querySelector('[name="back"]')
  if (back) back.value = location.pathname + location.search
  pane.scrollTop = 0
  document.dispatchEvent(new Event('tidings:content'))
}

inbox.addEventListener('click', (event) => {
  const link = event.target.closest('.item-link')
  if (!link || !wide.matches || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  void look(link)
})

function move(step) {
  const all = links()
  const current = document.activeElement?.closest?.('.item') ?? shown
  const at = all.findIndex((link) => itemOf(link) === current)
  const link = all[Math.min(Math.max(at + step, 0), all.length - 1)]
  if (!link) return
  link.focus()
  if (wide.matches) void look(link)
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
  const title = page.querySelector('.item-link').textContent
  const item = inbox.querySelector(`[data-id="${id}"]`)
  if (item) replaceItem(item, page.querySelector('.item'))
  announce(to === 'ready' ? `“${title}” is approved.` : `“${title}” is a draft again.`)
  document.dispatchEvent(new Event('tidings:content'))
}

function replaceItem(item, changed) {
  const hadFocus = item.contains(document.activeElement)
  item.replaceWith(changed)
  if (hadFocus) changed.querySelector('.item-actions button')?.focus({ preventScroll: true })
  if (shown === item) void look(changed.querySelector('.item-link'))
}

function announce(text) {
  document.getElementById('announcement').textContent = text
}

// Before console.js, which stops a form from being sent twice.
document.addEventListener(
  'submit',
  (event) => {
    const { target: form, submitter } = event
    const path = submitter?.getAttribute('formaction') ?? form.getAttribute('action')
    if (!/^\/library\/\w+\/status$/.test(path) || !form.closest('.library')) return
    event.preventDefault()
    const to = submitter.name === 'to' ? submitter.value : form.elements.to.value
    review(path, to).catch(() => announce('The server cannot be reached. Try again in a moment.'))
  },
  { capture: true },
)

document.getElementById('choose-all')?.addEventListener('change', ({ target }) => {
  for (const box of inbox.querySelectorAll('input[type=checkbox]')) box.checked = target.checked
})

async function approve(item) {
  const button = item.querySelector('[data-approve]')
  if (!button) return
  await review(button.getAttribute('formaction'), 'ready')
  move(1)
}

const actions = {
  j: () => move(1),
  k: () => move(-1),
  a: (item) => item && void approve(item),
  e: (item) => item?.querySelector('[data-edit]')?.click(),
  x: (item) => item?.querySelector('input[type="checkbox"]')?.click(),
  '/': () => document.getElementById('q').focus(),
  '?': () => {
    const help = document.getElementById('shortcuts')
    help.open = true
    help.querySelector('summary').focus()
  },
}

const use = document.getElementById('use-shortcuts')
use.checked = localStorage.getItem('tidings-shortcuts') !== 'off'
use.addEventListener('change', () => {
  localStorage.setItem('tidings-shortcuts', use.checked ? 'on' : 'off')
})

document.addEventListener('keydown', (event) => {
  if (!use.checked || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest('textarea, select, input:not([type="checkbox"])')) return
  const act = actions[event.key]
  if (!act) return
  event.preventDefault()
  act(event.target.closest('.item') ?? shown)
})

const askEveryMs = 5_000

/** Puts what came in on top of the list; nothing that is there moves out of reach or loses its place. */
async function askForNewer() {
  const newest = inbox.querySelector('.item')?.dataset.id ?? ''
  const response = await fetch(`${inbox.dataset.newer}&after=${newest}`)
  if (!response.ok || response.redirected) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const items = [...page.querySelectorAll('.item')]
  if (items.length === 0 || (inbox.querySelector('.item')?.dataset.id ?? '') !== newest) return
  document.getElementById('tabs').replaceWith(page.getElementById('tabs'))
  inbox.prepend(...items.map((item) => document.importNode(item, true)))
  document.getElementById('nothing')?.remove()
  announce(items.length === 1 ? 'There is a new block.' : `There are ${items.length} new blocks.`)
  document.dispatchEvent(new Event('tidings:content'))
}

if (inbox.dataset.newer) {
  setInterval(() => {
    if (document.visibilityState === 'visible') askForNewer().catch(() => {})
  }, askEveryMs)
}
