// A sign-in dialog for pages whose session has ended, so that nobody has to leave the page.

/**
 * Asks for the password in a dialog when the session has ended. Returns true when the person has signed
 * in; the forms of the page then contain the new CSRF token.
 */
window.signInAgain = async () => {
  const page = await fetchPage('/login')
  const form = page.querySelector('#main form')
  if (!form) return await renewTokens()
  for (const element of form.querySelectorAll('[id]')) element.id = `sign-in-${element.id}`
  for (const label of form.querySelectorAll('label')) label.htmlFor = `sign-in-${label.htmlFor}`
  const dialog = document.createElement('dialog')
  dialog.className = 'card'
  dialog.setAttribute('aria-labelledby', 'sign-in-title')
  dialog.innerHTML =
    '<h2 id="sign-in-title">Sign in again</h2><p>Your session has ended. What you typed is kept.</p><p class="field-error" role="alert"></p>'
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
      const error = await signIn(form)
      if (error) dialog.querySelector('.field-error').textContent = error
      else {
        resolve(await renewTokens())
        dialog.close()
      }
    })
  })
}

const fetchPage = async (url, init) =>
  new DOMParser().parseFromString(await (await fetch(url, init)).text(), 'text/html')

/** Sends the sign-in form; returns the error message, or null. */
async function signIn(form) {
  const body = new URLSearchParams(new FormData(form))
  const headers = { 'hx-request': 'true' }
  try {
    const response = await fetch('/login', { method: 'POST', body, headers })
    if (response.headers.has('hx-redirect')) return null
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return page.querySelector('[role=alert], .error-page p')?.textContent ?? 'Try again.'
  } catch {
    return 'The server cannot be reached. Try again in a moment.'
  }
}

/** Writes the CSRF token of the session into the forms of this page; false when nobody is signed in. */
async function renewTokens() {
  const page = await fetchPage('/account')
  const token = page.querySelector('form[action="/logout"] [name=csrf]')?.value
  if (!token) return false
  for (const field of document.querySelectorAll('[name=csrf]')) field.value = token
  return true
}
