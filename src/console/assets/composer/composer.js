// Changes a newsletter without reloading the page. All forms and links here also work without this
// script: it sends the same forms and replaces the parts of the page that the server sends back.

const composer = document.getElementById('composer')

// Requests are sent one after the other, because each change is based on the result of the previous one.
let queue = Promise.resolve()
const enqueue = (work) => {
  queue = queue.then(work).catch(() => {
    showToast(translate('composer.cannot_be_reached'), 'danger')
  })
  return queue
}

/** Requests a page and replaces the parts that it contains; `sent` is the submitted form. */
async function requestPage(url, init, sent = new URLSearchParams()) {
  composer.setAttribute('aria-busy', 'true')
  try {
    const response = await fetchInTeam(url, init)
    if (response.status === 401 || new URL(response.url).pathname === '/login') {
      if (!(await signInAgain())) return
      sent.set('csrf', document.querySelector('[name=csrf]').value)
      return await requestPage(url, init, sent)
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    await untilPointerIsReleased()
    // The text that was typed stays, and is sent with the next change. A proxy sends pages of its own.
    if (response.status >= 500 || !page.getElementById('main'))
      showToast(errorTextOf(page), 'danger')
    else if (hasAllParts(page)) replaceParts(page, sent)
    else if (response.redirected && !page.getElementById('composer')) location.assign(response.url)
    // An error page and a newsletter that was sent in the meantime have other parts.
    else document.getElementById('main').replaceWith(page.getElementById('main'))
  } finally {
    composer.removeAttribute('aria-busy')
  }
}

// While the pointer is pressed or drags, nothing is replaced: a click or a drop would hit a removed element.
let pointerReleased = Promise.resolve()

/** Resolves after the handlers of the first of these events. */
const firstEvent = (names) =>
  new Promise((resolve) => {
    const end = () => setTimeout(resolve)
    for (const name of names) addEventListener(name, end, { once: true })
  })

document.addEventListener('pointerdown', () => {
  pointerReleased = firstEvent(['pointerup', 'pointercancel'])
})
// A drag cancels the pointer. The pointer moves again when the drag has ended.
document.addEventListener('dragstart', () => {
  pointerReleased = firstEvent(['dragend', 'pointermove', 'pointerdown'])
})

async function untilPointerIsReleased() {
  let awaited
  while (awaited !== pointerReleased) {
    awaited = pointerReleased
    await awaited
  }
}

const hasAllParts = (page) =>
  page.getElementById('composer') !== null &&
  [...document.querySelectorAll('[data-part]')].every(({ id }) => page.getElementById(id))

function replaceParts(page, sent) {
  const focus = saveFocus()
  for (const part of page.querySelectorAll('[data-part]')) {
    const current = document.getElementById(part.id)
    if (!current || isKept(current, part, sent)) continue
    if (part.id === 'preview-viewport') {
      window.replaceNewsletter(part)
      continue
    }
    const finishRenewal = renewDraftOf(current, part)
    copyTypedText(current, part, sent)
    finishRenewal()
    for (const { id } of current.querySelectorAll('details[open][id]')) {
      part.querySelector(`#${id}`).open = true
    }
    current.replaceWith(part)
  }
  composer.dataset.panel = page.getElementById('composer').dataset.panel
  document.title = page.title
  makeListsSortable()
  document.dispatchEvent(new Event('htmx:after:swap'))
  restoreFocus(focus)
  showMessages(page)
}

/** The form of a part whose unsaved text is stored is another one now; drafts.js stores its text from here on. */
function renewDraftOf(current, part) {
  const [before, form] = [current, part].map((one) => one.querySelector('form[data-draft]'))
  return before && form ? window.renewDraft(before, form) : () => {}
}

/** True for an unchanged email, and for a form with errors until it is sent again. */
function isKept(current, part, sent) {
  const isSame = part.dataset.hash && part.dataset.hash === current.dataset.hash
  const hasErrors = current.querySelector('form > [role=alert], .field-error')
  return isSame || (hasErrors && !sent.has('original_title'))
}

/** Shows the message and the errors of the new page. */
function showMessages(page) {
  const flash = page.querySelector('#main > .notice[role=status]')
  document.querySelector('#main > .notice[role=status]')?.remove()
  const error = document.querySelector('#details .field-error, #details [role=alert]')
  if (flash) showToast(flash.textContent, flash.classList.contains('danger') ? 'danger' : 'success')
  else if (error) showToast(translate('composer.not_saved'), 'danger')
}

/** Copies text that was typed after the form was sent. */
function copyTypedText(current, part, sent) {
  for (const field of current.querySelectorAll('input[id], textarea[id]')) {
    const newField = part.querySelector(`#${field.id}`)
    const original = current.querySelector(`[name="original_${field.name}"]`)
    const known = sent.get(field.name) ?? original?.value ?? field.defaultValue
    if (newField && field.value !== known) newField.value = field.value
  }
}

/** The focused element, the buttons of the same kind that take the focus when it is removed, and its part. */
function saveFocus() {
  const { activeElement: element } = document
  const link = element.closest('#blocks a[href]')
  if (!composer.contains(element) || !(element.id || link)) return null
  const selector = element.id
    ? `#${element.id}`
    : `#blocks a[href="${CSS.escape(link.getAttribute('href'))}"]`
  const prefix = element.id.split('-')[0]
  const part = element.closest('[data-part]')
  const buttons = part?.querySelectorAll(`button[id^="${prefix}-"]`) ?? []
  const ids = [...buttons].map(({ id }) => id)
  const index = ids.indexOf(element.id)
  const others = index === -1 ? [] : [...ids.slice(index + 1), ...ids.slice(0, index).reverse()]
  const isText = element.type === 'text' || element.type === 'search'
  const selection = isText ? [element.selectionStart, element.selectionEnd] : null
  return { selector, others, selection, part: part?.id }
}

/** What follows in a part whose focused element is gone: its heading, or the next step of the newsletter. */
const nextIn = (part) =>
  part?.querySelector('h2') ?? part?.querySelector('.primary') ?? part?.querySelector('h1')

function restoreFocus(focus) {
  if (!focus) return
  const same = document.querySelector(focus.selector)
  const sibling = same?.disabled ? same.parentElement.querySelector('button:not(:disabled)') : same
  const next = focus.others
    .map((id) => document.getElementById(id))
    .find((button) => button && !button.disabled)
  const target = sibling ?? next
  if (!target) return focusElement(nextIn(document.getElementById(focus.part)))
  if (target === document.activeElement) return
  target.focus({ preventScroll: target === same })
  if (focus.selection) target.setSelectionRange(...focus.selection)
}

/** Sends a form with the values that it has when the previous requests are finished. A button can have its own address. */
function submitForm(form, extraValues, submitter) {
  const action = form.getAttribute('action')
  const url = submitter?.getAttribute('formaction') ?? action
  enqueue(() => {
    const selector = `form[method=post][action="${CSS.escape(action)}"]`
    const currentForm = document.querySelector(selector) ?? form
    const body = new URLSearchParams(new FormData(currentForm))
    for (const [name, value] of Object.entries(extraValues)) if (name) body.set(name, value)
    return requestPage(url, { method: 'POST', body, keepalive: true }, body)
  })
}

function openView(url) {
  history.replaceState(null, '', url)
  return enqueue(() => requestPage(url))
}

async function search(form) {
  const url = `${form.getAttribute('action')}?${new URLSearchParams(new FormData(form))}`
  // A field that loses the focus has been searched for already.
  if (url === location.pathname + location.search) return
  await openView(url)
  const { length: count } = document.querySelectorAll('.library-blocks > li')
  announce(translate(count === 1 ? 'common.one_matches' : 'common.matches', { count }))
}

// In the capture phase: console.js, which prevents a second submission, must not see these forms.
document.addEventListener(
  'submit',
  (event) => {
    const { target: form, submitter } = event
    if (!composer?.contains(form) || form.hasAttribute('data-full-page')) return
    // drafts.js sends the forms that are opened in place.
    if (form.closest('.in-place-editor')) return
    event.preventDefault()
    if (form.method === 'get') void search(form)
    else submitForm(form, { [submitter?.name ?? '']: submitter?.value }, submitter)
  },
  { capture: true },
)

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-swap]')
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  openView(link.getAttribute('href'))
})

document.addEventListener('change', ({ target }) => {
  const form = target.closest('#details form, #block-search')
  if (form?.id === 'block-search') void search(form)
  // A date field sends this event for every digit; it is saved when it loses the focus.
  else if (form && target.type !== 'date') submitForm(form, {})
})

document.addEventListener('focusout', ({ target }) => {
  const isChangedDate = target.type === 'date' && target.value !== target.defaultValue
  if (isChangedDate && target.isConnected) submitForm(target.form, {})
})

let searchTimer
document.addEventListener('input', ({ target }) => {
  if (target.id === 'block-search-query') {
    clearTimeout(searchTimer)
    searchTimer = setTimeout(search, 250, target.form)
  }
  const hint = target.closest('#details') && document.getElementById(`${target.name}-hint`)
  if (hint) hint.textContent = hint.textContent.replace(/^\d+/, [...target.value].length)
})

function makeListsSortable() {
  for (const list of composer.querySelectorAll('[data-sortable]')) makeSortable(list)
}

if (composer) makeListsSortable()
