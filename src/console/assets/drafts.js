// Keeps what people type until it is saved: on this device, while offline, and when the session has
// ended. Forms with `data-draft` take part. Without this script they are sent as usual.

const draftPrefix = `tidings-draft ${document.body.dataset.account} `
const draftMaxAgeMs = 7 * 24 * 60 * 60 * 1000

/** The key of the draft and the values that the server sent, for each form. */
const drafts = new Map()
let isLeaving = false

/** The values of a form as text; the CSRF token and passwords are left out. */
function valuesOf(form) {
  const secret = ['csrf', ...[...form.querySelectorAll('[type=password]')].map(({ name }) => name)]
  return JSON.stringify([...new FormData(form)].filter(([name]) => !secret.includes(name)))
}

const isChanged = (form) => drafts.has(form) && valuesOf(form) !== drafts.get(form).initial

function readDraft(key) {
  try {
    const { at, values } = JSON.parse(localStorage.getItem(key))
    return Date.now() - at < draftMaxAgeMs ? values : null
  } catch {
    return null
  }
}

/** Stores the values of a form on this device. A full or closed storage is no reason to stop typing. */
function saveDraft(form) {
  const { key } = drafts.get(form) ?? {}
  if (!key) return
  try {
    if (isChanged(form)) {
      localStorage.setItem(key, JSON.stringify({ at: Date.now(), values: valuesOf(form) }))
    } else localStorage.removeItem(key)
  } catch {}
}

function fill(form, values) {
  const pairs = JSON.parse(values)
  for (const field of form.elements) {
    if (!field.name || field.name === 'csrf') continue
    const texts = pairs.filter(([name]) => name === field.name).map(([, text]) => text)
    if (field.type === 'checkbox' || field.type === 'radio') {
      field.checked = texts.includes(field.value)
    } else if (texts.length > 0) field.value = texts[0]
  }
}

const keyOf = (form) => `${draftPrefix}${location.pathname} ${form.getAttribute('action')}`

/** Restores the draft of a form, and says so. */
function keep(form) {
  if (drafts.has(form)) return
  const key = keyOf(form)
  const initial = valuesOf(form)
  drafts.set(form, { key, initial })
  const stored = readDraft(key)
  if (stored === null || stored === initial) return localStorage.removeItem(key)
  fill(form, stored)
  const notice = noticeOf(form, 'Text that was not saved is restored.')
  const discard = document.createElement('button')
  discard.type = 'button'
  discard.className = 'small'
  discard.textContent = 'Discard it'
  discard.addEventListener('click', () => {
    localStorage.removeItem(key)
    isLeaving = true
    location.reload()
  })
  notice.append(discard)
}

/** The message above a form; there is one at most. */
function noticeOf(form, text, tone = '') {
  form.querySelector(':scope > .draft-notice')?.remove()
  const notice = document.createElement('div')
  notice.className = `notice row draft-notice ${tone}`
  notice.setAttribute('role', tone === 'bad' ? 'alert' : 'status')
  const words = document.createElement('span')
  words.textContent = text
  notice.append(words)
  form.prepend(notice)
  return notice
}

/** Shows that the server works on a form; returns a function that removes it. */
function showProgress(form, submitter) {
  form.setAttribute('aria-busy', 'true')
  const text = submitter?.dataset.progress
  const progress = document.createElement('p')
  if (text) {
    progress.className = 'progress'
    progress.setAttribute('role', 'status')
    progress.textContent = text
    submitter.after(progress)
  }
  return () => {
    form.removeAttribute('aria-busy')
    progress.remove()
  }
}

/** Sends a form without leaving the page, so that what was typed stays when that fails. */
async function sendForm(form, submitter) {
  const url = submitter?.getAttribute('formaction') ?? form.getAttribute('action')
  const body = new URLSearchParams(new FormData(form, submitter))
  const hideProgress = showProgress(form, submitter)
  try {
    const headers = { 'hx-request': 'true' }
    const response = await fetch(url, { method: 'POST', body, headers })
    if (response.status === 401) {
      hideProgress()
      if (await signInAgain()) await sendForm(form, submitter)
      return
    }
    const next = response.headers.get('hx-redirect')
    if (!next) return showPage(await response.text())
    localStorage.removeItem(drafts.get(form).key)
    isLeaving = true
    location.assign(next)
  } catch {
    saveDraft(form)
    const text =
      'The server cannot be reached. What you typed is kept on this device; try again later.'
    noticeOf(form, text, 'bad').scrollIntoView({ block: 'nearest' })
  } finally {
    hideProgress()
  }
}

/** Puts the content of a page that the server sent in place of this one. */
function showPage(html) {
  const page = new DOMParser().parseFromString(html, 'text/html')
  document.title = page.title
  document.getElementById('main').replaceWith(page.getElementById('main'))
  drafts.clear()
  for (const form of document.querySelectorAll('form[data-draft]')) {
    // The fields contain what was typed, which is not saved yet.
    drafts.set(form, { key: keyOf(form), initial: null })
  }
  document.dispatchEvent(new Event('tidings:content'))
  document.querySelector('#main [role=alert], #main [aria-invalid=true], #main .notice')?.focus()
}

/**
 * Asks for the password in a dialog when the session has ended. True when the person has signed in:
 * the forms of the page have the new CSRF token then.
 */
async function signInAgain() {
  const page = await pageAt('/login')
  const form = page.querySelector('#main form')
  if (!form) return await renewTokens()
  for (const element of form.querySelectorAll('[id]')) element.id = `again-${element.id}`
  for (const label of form.querySelectorAll('label')) label.htmlFor = `again-${label.htmlFor}`
  const dialog = document.createElement('dialog')
  dialog.className = 'card'
  dialog.setAttribute('aria-labelledby', 'again-title')
  dialog.innerHTML =
    '<h2 id="again-title">Sign in again</h2><p>Your session has ended. What you typed is kept.</p><p class="fault" role="alert"></p>'
  dialog.append(form)
  document.body.append(dialog)
  dialog.showModal()
  return await new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(false)
    })
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      const fault = await signIn(form)
      if (fault) dialog.querySelector('.fault').textContent = fault
      else {
        resolve(await renewTokens())
        dialog.close()
      }
    })
  })
}

const pageAt = async (url, init) =>
  new DOMParser().parseFromString(await (await fetch(url, init)).text(), 'text/html')

/** Sends the sign-in form; returns what is wrong, or null. */
async function signIn(form) {
  const body = new URLSearchParams(new FormData(form))
  const headers = { 'hx-request': 'true' }
  try {
    const response = await fetch('/login', { method: 'POST', body, headers })
    if (response.headers.has('hx-redirect')) return null
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return page.querySelector('[role=alert], .failure p')?.textContent ?? 'Try again.'
  } catch {
    return 'The server cannot be reached. Try again in a moment.'
  }
}

/** Puts the CSRF token of the session into the forms of this page; false when nobody is signed in. */
async function renewTokens() {
  const page = await pageAt('/account')
  const token = page.querySelector('form[action="/logout"] [name=csrf]')?.value
  if (!token) return false
  for (const field of document.querySelectorAll('[name=csrf]')) field.value = token
  return true
}

// Before console.js, which stops a form from being sent twice.
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if (form.getAttribute('action') === '/logout') {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(draftPrefix)) localStorage.removeItem(key)
    }
  }
  if (event.defaultPrevented || !drafts.has(form)) return
  event.preventDefault()
  if (form.getAttribute('aria-busy') !== 'true') void sendForm(form, submitter)
})

let draftTimer
document.addEventListener('input', ({ target }) => {
  const form = target.closest('form')
  if (!drafts.has(form)) return
  clearTimeout(draftTimer)
  draftTimer = setTimeout(() => saveDraft(form), 300)
})

addEventListener('beforeunload', (event) => {
  const changed = [...drafts.keys()].filter((form) => form.isConnected && isChanged(form))
  if (isLeaving || changed.length === 0) return
  for (const form of changed) saveDraft(form)
  event.preventDefault()
})

for (const form of document.querySelectorAll('form[data-draft]')) keep(form)
