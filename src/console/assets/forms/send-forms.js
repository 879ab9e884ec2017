// Sends forms with `data-draft` without leaving the page, so that no text is lost. Without this script they
// are sent as usual. The text of forms is stored by `drafts.js`.

/** Shows a progress message beside the pressed button; returns a function that removes it. */
function showProgress(form, submitter) {
  form.setAttribute('aria-busy', 'true')
  const text = submitter?.dataset.progress
  const progress = document.createElement('p')
  if (!text) submitter?.setAttribute('aria-busy', 'true')
  if (text) {
    progress.className = 'progress'
    progress.setAttribute('role', 'status')
    progress.textContent = text
    submitter.after(progress)
    announceNew(progress)
  }
  return () => {
    form.removeAttribute('aria-busy')
    submitter?.removeAttribute('aria-busy')
    progress.remove()
  }
}

/** The texts of a form; files are left out. */
const textsOf = (values) =>
  new URLSearchParams([...values].filter(([, value]) => typeof value === 'string'))

/** The values of each form when it was sent last. */
const sentValues = new WeakMap()

/** Sends a form without leaving the page, so that no text is lost when the request fails. */
async function sendForm(form, submitter) {
  sentValues.set(form, valuesOf(form))
  const url = submitter?.getAttribute('formaction') ?? form.getAttribute('action')
  const values = new FormData(form, submitter)
  const enctype = submitter?.getAttribute('formenctype') ?? form.enctype
  const body = enctype === 'multipart/form-data' ? values : textsOf(values)
  const hideProgress = showProgress(form, submitter)
  // The error of the attempt before says nothing about this one.
  form.querySelector(':scope > .draft-notice.danger')?.remove()
  try {
    const headers = { 'hx-request': 'true' }
    if (submitter?.hasAttribute('data-stream')) {
      return await sendForEvents(form, submitter, { url, body, headers })
    }
    const response = await fetch(url, { method: 'POST', body, headers })
    await useResponse(form, submitter, response)
  } catch {
    showError(form, translate('send-forms.cannot_be_reached'))
  } finally {
    hideProgress()
  }
}

/** Shows the response to a form: another page, this page with errors, or the dialog to sign in. */
async function useResponse(form, submitter, response) {
  if (response.status === 401) {
    form.removeAttribute('aria-busy')
    if (await signInAgain()) await sendForm(form, submitter)
    return
  }
  const next = response.headers.get('hx-redirect')
  const html = await response.text()
  const page = new DOMParser().parseFromString(html, 'text/html')
  const error = next ? '' : errorTextOf(page)
  if (error !== '') showError(form, error)
  else if (form.closest('.in-place-editor')) {
    const detail = { next, html }
    form.dispatchEvent(new CustomEvent('tidings:response', { bubbles: true, detail }))
    // The editor is busy until what it has saved is shown.
    await detail.shown
  } else if (next) await leaveFor(next, form)
  else showPage(page)
}

/** What an error page says; empty for a page with forms. */
function errorTextOf(page) {
  if (!page.getElementById('main')) return translate('send-forms.cannot_be_reached')
  return page.querySelector('.error-page p')?.textContent ?? ''
}

/** Shows why a form was not accepted above the form, whose text stays. */
function showError(form, text) {
  saveDraft(form)
  showNotice(form, text, 'danger').scrollIntoView({ block: 'nearest' })
}

/** Opens another page; the text of the form is saved there. */
async function leaveFor(path, form) {
  isLeaving = true
  await discardDraft(form)
  const next = new URL(path, location.href)
  const isThisPage = next.pathname + next.search === location.pathname + location.search
  location.assign(next)
  // An address that differs only after the # loads nothing.
  if (isThisPage && next.hash) location.reload()
}

/** True when the person has written a block beside the fields for a draft. */
const hasBlockText = ({ elements: { title, body } }) =>
  title.value.trim() !== '' || body.value.trim() !== ''

/** Sends a form whose result is shown while it is written. Nothing that was typed is replaced. */
async function sendForEvents(form, submitter, request) {
  const { response, result } = await followEvents(submitter, request)
  if (response) return await useResponse(form, submitter, response)
  if (result.type === 'done' && !hasBlockText(form)) return leaveFor(result.path, form)
  if (result.left) document.getElementById('drafts-left').textContent = result.left
  const notice = showNotice(form, result.message, result.type === 'failed' ? 'danger' : '')
  if (result.path) {
    const link = document.createElement('a')
    link.href = result.path
    link.textContent = translate('send-forms.open')
    notice.append(link)
  }
  notice.scrollIntoView({ block: 'nearest' })
}

/** Focuses an element, also one that people cannot reach by Tab, such as a heading. */
function focusElement(element) {
  if (element && element.tabIndex < 0) element.tabIndex = -1
  element?.focus()
}

/** Replaces the content of this page by the content of a page that the server sent. */
function showPage(page) {
  document.title = page.title
  const chosen = [...document.querySelectorAll('#main [type=file]')]
  document.getElementById('main').replaceWith(page.getElementById('main'))
  // A server cannot send back a file that a person has chosen.
  for (const { id, files } of chosen) {
    const field = document.getElementById(id)
    if (field) field.files = files
  }
  window.htmx?.process(document.getElementById('main'))
  drafts.clear()
  for (const form of document.querySelectorAll('form[data-draft]')) {
    // The fields contain text that is not saved yet.
    drafts.set(form, { key: keyOf(form), initial: null, stored: readDraft(keyOf(form)) })
  }
  document.dispatchEvent(new Event('tidings:content'))
  const place =
    document.querySelector('#main [role=alert], #main [aria-invalid=true], #main .notice') ??
    document.querySelector('#main h1')
  focusElement(place)
}

/** Requests the page that shows stored values in its form, and saves nothing. */
async function requestPreview(form, stored) {
  const hidden = ofEveryForm.map((name) => [name, form.elements[name]?.value ?? ''])
  const response = await fetch(form.getAttribute('action'), {
    method: 'POST',
    headers: { 'hx-request': 'true' },
    body: new URLSearchParams([...JSON.parse(stored), ...hidden, ['preview', 'on']]),
  })
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** Restores text for which the form of the page has too few or too many sections. */
async function restoreWithSections(form, { key, initial, restored }) {
  // What is typed until the server has answered would be lost.
  form.inert = true
  const page = await requestPreview(form, restored).catch(() => null)
  form.inert = false
  if (!page?.getElementById(form.id))
    return showNotice(form, translate('send-forms.cannot_be_reached'), 'danger')
  showPage(page)
  const shown = document.getElementById(form.id)
  drafts.set(shown, { key, initial })
  showRestored(shown, restored)
  restoreSecondDraft(shown)
  window.loadServerDraft?.(shown).catch(() => {})
}

for (const [form, state] of drafts) if (state.needsForm) void restoreWithSections(form, state)

// Runs before console.js, which prevents a second submission.
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  const isBusy = form.getAttribute('aria-busy') === 'true'
  // The draft of a form is discarded before its response is shown.
  if (event.defaultPrevented || !(drafts.has(form) || isBusy)) return
  event.preventDefault()
  // Resolves when its response is shown.
  if (!isBusy) window.sentForm = sendForm(form, submitter)
})

// Nothing that a person has written stays in the browser after signing out, also not what was stored when the
// browser asked whether to leave the page.
addEventListener('pagehide', () => {
  if (!document.querySelector('form[action="/logout"][data-sent]')) return
  isLeaving = true
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(draftPrefix)) localStorage.removeItem(key)
  } catch {}
})
