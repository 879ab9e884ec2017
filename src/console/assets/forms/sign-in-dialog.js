// A sign-in dialog for pages whose session has ended, so that nobody has to leave the page.

/**
 * Asks for the password in a dialog when the session has ended. Returns true when the person has signed
 * in; the forms of the page then contain the new CSRF token.
 */
window.signInAgain = async () => {
  const page = await fetchPage('/login')
  const form = formOf(page)
  const providers = page.querySelectorAll('#main a[href^="/login/oidc/"]')
  if (!form && providers.length === 0) return (await renewTokens()) === ''
  const dialog = document.createElement('dialog')
  dialog.className = 'card'
  dialog.setAttribute('aria-labelledby', 'sign-in-title')
  dialog.innerHTML = '<h2 id="sign-in-title"></h2><p></p><p class="field-error" role="alert"></p>'
  dialog.querySelector('h2').textContent = translate('sign-in-dialog.title')
  const reason = page.querySelector('#main > .notice')?.textContent
  dialog.querySelector('p').textContent = reason ?? translate('sign-in-dialog.session_ended')
  if (form) {
    dialog.append(form)
    enterKnownEmail(form)
  }
  if (providers.length > 0) dialog.append(...providerSignIn(providers))
  document.body.append(dialog)
  dialog.showModal()
  return await new Promise((resolve) => {
    const finish = async () => {
      const reason = await renewTokens()
      dialog.querySelector('.field-error').textContent = reason
      if (reason) return
      resolve(true)
      dialog.close()
    }
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(false)
    })
    dialog.addEventListener('submit', async (event) => {
      event.preventDefault()
      if (event.target.classList.contains('signed-in-elsewhere')) return await finish()
      const { error = '', secondStep } = await signIn(event.target)
      dialog.querySelector('.field-error').textContent = error
      if (secondStep) event.target.replaceWith(secondStep)
      else if (!error) await finish()
    })
  })
}

/** Enters the address of the person whose page it is, so that only the password is left to type. */
function enterKnownEmail(form) {
  const email = form.querySelector('[name=email]')
  const password = form.querySelector('[name=password]')
  const known = document.body.dataset.email
  if (!known || !email || !password) return
  email.value = known
  email.autofocus = false
  password.autofocus = true
}

/** Links that sign in in another tab, and the form to continue here. */
function providerSignIn(links) {
  const form = document.createElement('form')
  form.className = 'signed-in-elsewhere'
  form.innerHTML = '<p class="muted"></p><button type="submit" class="button full-width"></button>'
  form.querySelector('p').textContent = translate('sign-in-dialog.other_tab')
  form.querySelector('button').textContent = translate('sign-in-dialog.continue')
  const buttons = document.createElement('div')
  buttons.className = 'provider-buttons'
  for (const link of links) {
    link.target = '_blank'
    link.href = link.pathname
    buttons.append(link)
  }
  return [buttons, form]
}

const fetchPage = async (url, init) =>
  new DOMParser().parseFromString(await (await fetchInTeam(url, init)).text(), 'text/html')

/** The form of a page, with ids that this page does not have. */
function formOf(page) {
  const form = page.querySelector('#main form')
  for (const element of form?.querySelectorAll('[id]') ?? []) element.id = `sign-in-${element.id}`
  for (const label of form?.querySelectorAll('label') ?? [])
    label.htmlFor = `sign-in-${label.htmlFor}`
  return form
}

/** Sends a form of the sign-in; returns the error message or the form of the second step, if any. */
async function signIn(form) {
  const body = new URLSearchParams(new FormData(form))
  const headers = { 'hx-request': 'true' }
  try {
    const response = await fetch(form.action, { method: 'POST', body, headers })
    const path = response.headers.get('hx-redirect')
    if (path?.startsWith('/login/')) return { secondStep: formOf(await fetchPage(path)) }
    if (path !== null) return {}
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    const message = page.querySelector('[role=alert], .field-error, .error-page p')?.textContent
    return { error: message ?? translate('sign-in-dialog.try_again') }
  } catch {
    return { error: translate('common.cannot_be_reached') }
  }
}

/** Writes the CSRF token of the session into the forms of this page; returns why nobody is signed in, or ''. */
async function renewTokens() {
  const page = await fetchPage('/account')
  const token = page.querySelector('form[action="/logout"] [name=csrf]')?.value
  if (!token) {
    const reason = page.querySelector('#main > .notice')?.textContent
    return reason ?? translate('sign-in-dialog.not_signed_in')
  }
  for (const field of document.querySelectorAll('[name=csrf]')) field.value = token
  return ''
}
