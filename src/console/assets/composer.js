// Puts an issue together without loading the page anew. Every form and link here also works without:
// this sends the same forms, and takes the parts that came back.

const composer = document.getElementById('composer')
const said = document.getElementById('said')
const calm = matchMedia('(prefers-reduced-motion: reduce)').matches

/** Tells what happened, on the screen and to screen readers. */
function say(text, tone = 'good') {
  said.className = `toast ${tone}`
  said.textContent = text
  clearTimeout(say.timer)
  if (tone === 'good') say.timer = setTimeout(() => said.classList.remove('good'), 5000)
}

// One after the other: each change starts from what the one before left.
let queue = Promise.resolve()
const inTurn = (work) => {
  queue = queue.then(work).catch(() => {
    say('The server cannot be reached. Nothing is lost; try again in a moment.', 'bad')
  })
  return queue
}

/** Asks for a page and takes its parts; `sent` is the form that was sent for it. */
async function exchange(url, init, sent = new URLSearchParams()) {
  composer.setAttribute('aria-busy', 'true')
  try {
    const response = await fetch(url, init)
    if (response.status === 401) {
      if (!(await signInAgain())) return
      sent.set('csrf', document.querySelector('[name=csrf]').value)
      return await exchange(url, init, sent)
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    await released
    if (holdsAllParts(page)) take(page, sent)
    else if (response.redirected && !page.getElementById('composer')) location.assign(response.url)
    // A failure has a page of its own, and so has what somebody else sent meanwhile.
    else document.getElementById('main').replaceWith(page.getElementById('main'))
  } finally {
    composer.removeAttribute('aria-busy')
  }
}

// Between pressing and letting go, nothing is replaced: the click would meet nothing.
let released = Promise.resolve()
document.addEventListener('pointerdown', () => {
  released = new Promise((resolve) => {
    const end = () => setTimeout(resolve)
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, end, { once: true })
  })
})

const holdsAllParts = (page) =>
  page.getElementById('composer') !== null &&
  [...document.querySelectorAll('[data-part]')].every(({ id }) => page.getElementById(id))

function take(page, sent) {
  const focus = focusNow()
  for (const part of page.querySelectorAll('[data-part]')) {
    const old = document.getElementById(part.id)
    if (!old || stays(old, part, sent)) continue
    keepTyped(old, part, sent)
    for (const { id } of old.querySelectorAll('details[open][id]')) {
      part.querySelector(`#${id}`).open = true
    }
    old.replaceWith(part)
  }
  composer.dataset.pane = page.getElementById('composer').dataset.pane
  document.title = page.title
  enliven()
  document.dispatchEvent(new Event('htmx:after:swap'))
  restore(focus)
  tell(page)
}

/** True for a mail that did not change, and for a refused form until it is sent again. */
function stays(old, part, sent) {
  const same = part.dataset.stamp && part.dataset.stamp === old.dataset.stamp
  return same || (old.querySelector('form > [role=alert], .fault') && !sent.has('was_title'))
}

/** Says what the page that came has to say. */
function tell(page) {
  const flash = page.querySelector('#main > .notice[role=status]')
  document.querySelector('#main > .notice[role=status]')?.remove()
  const fault = document.querySelector('#wording .fault, #wording [role=alert]')
  if (flash) say(flash.textContent, flash.classList.contains('bad') ? 'bad' : 'good')
  else if (fault) say('Not saved yet. Correct the marked fields.', 'bad')
}

/** Keeps what was typed since the form was sent. */
function keepTyped(old, part, sent) {
  for (const field of old.querySelectorAll('input[id], textarea[id]')) {
    const fresh = part.querySelector(`#${field.id}`)
    const was = old.querySelector(`[name="was_${field.name}"]`)
    const known = sent.get(field.name) ?? was?.value ?? field.defaultValue
    if (fresh && field.value !== known) fresh.value = field.value
  }
}

/** Where the focus is, and the buttons of its kind after it, should it go. */
function focusNow() {
  const { activeElement: at } = document
  if (!at?.id || !composer.contains(at)) return null
  const kind = at.id.split('-')[0]
  const alike = [...composer.querySelectorAll(`button[id^="${kind}-"]`)].map(({ id }) => id)
  const place = alike.indexOf(at.id)
  const others = place === -1 ? [] : [...alike.slice(place + 1), ...alike.slice(0, place).reverse()]
  const range =
    at.type === 'text' || at.type === 'search' ? [at.selectionStart, at.selectionEnd] : null
  return { id: at.id, others, range }
}

function restore(focus) {
  if (!focus) return
  const same = document.getElementById(focus.id)
  const beside = same?.disabled ? same.parentElement.querySelector('button:not(:disabled)') : same
  const next = focus.others
    .map((id) => document.getElementById(id))
    .find((one) => one && !one.disabled)
  const target = beside ?? next
  if (!target || target === document.activeElement) return
  target.focus({ preventScroll: target === same })
  if (focus.range) target.setSelectionRange(...focus.range)
}

/** The form as it is when its turn comes: it may have been replaced meanwhile. */
function post(form, extra) {
  const action = form.getAttribute('action')
  inTurn(() => {
    const now = document.querySelector(`form[method=post][action="${CSS.escape(action)}"]`) ?? form
    const body = new URLSearchParams(new FormData(now))
    for (const [name, value] of Object.entries(extra)) if (name) body.set(name, value)
    return exchange(action, { method: 'POST', body, keepalive: true }, body)
  })
}

function show(url) {
  history.replaceState(null, '', url)
  inTurn(() => exchange(url))
}

function search(form) {
  const query = new URLSearchParams(new FormData(form))
  show(`${form.getAttribute('action')}?${query}`)
}

// Before console.js, which stops a form from being sent twice.
const early = { capture: true }
document.addEventListener(
  'submit',
  (event) => {
    const { target: form, submitter } = event
    if (!composer?.contains(form)) return
    event.preventDefault()
    if (form.method === 'get') search(form)
    else post(form, { [submitter?.name ?? '']: submitter?.value })
  },
  early,
)

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-swap]')
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  show(link.getAttribute('href'))
})

// What is typed is saved when one leaves the field, and searched for while one types.
document.addEventListener('change', ({ target }) => {
  const form = target.closest('#wording form, #finder')
  if (form?.id === 'finder') search(form)
  // A date is changed with every digit of it.
  else if (form && target.type !== 'date') post(form, {})
})

document.addEventListener('focusout', ({ target }) => {
  const left = target.type === 'date' && target.value !== target.defaultValue
  if (left && target.isConnected) post(target.form, {})
})

let typing
document.addEventListener('input', ({ target }) => {
  if (target.id === 'finder-q') {
    clearTimeout(typing)
    typing = setTimeout(() => search(target.form), 250)
  }
  const hint = target.closest('#wording') && document.getElementById(`${target.name}-hint`)
  if (hint) hint.textContent = hint.textContent.replace(/\d+$/, [...target.value].length)
})

/** After parts came in: shows what needs this script, and lets blocks be dragged. */
function enliven() {
  for (const element of composer.querySelectorAll('[data-script]')) element.hidden = false
  for (const list of composer.querySelectorAll('[data-sort]')) sortable(list)
}

function sortable(list) {
  const fromShelf = list.dataset.sort === 'shelf'
  window.Sortable.create(list, {
    group: fromShelf
      ? { name: 'shelf', pull: 'clone', put: false }
      : // A block's type tells under which heading it stands, so it moves within its list alone.
        { name: list.id, pull: false, put: ['shelf'] },
    sort: !fromShelf,
    handle: '.grip',
    animation: calm ? 0 : 150,
    onEnd: ({ item, from, to, oldIndex, newIndex }) => {
      if (to.dataset.sort === 'shelf' || (from === to && oldIndex === newIndex)) return
      const before = item.nextElementSibling?.id ?? ''
      if (fromShelf) post(from.closest('form'), { add: item.dataset.block, before })
      else post(to.closest('form'), { move: item.id, before })
    },
  })
}

if (composer && window.Sortable) enliven()
