// Behavior that all pages share. Every page also works without this script.

const { locale, timeZone: storedTimeZone, timeZoneChosen } = document.body.dataset
const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
const timeFormats = {
  time: { dateStyle: 'medium', timeStyle: 'short' },
  date: { dateStyle: 'medium' },
  exact: { dateStyle: 'full', timeStyle: 'long' },
}

/** Shows times in the time zone of the browser; the server uses the one that it has stored. */
function correctTimes() {
  const format = (style, at) =>
    new Intl.DateTimeFormat(locale, { ...timeFormats[style], timeZone }).format(at)
  for (const time of document.querySelectorAll('time[data-style]')) {
    const at = new Date(time.dateTime)
    time.title = format('exact', at)
    if (time.dataset.style !== 'relative') time.textContent = format(time.dataset.style, at)
    delete time.dataset.style
  }
}

/** Reports the time zone, so that the server uses it for all further pages. */
function reportTimeZone() {
  const csrf = document.querySelector('form[action="/logout"] [name=csrf]')?.value ?? ''
  const body = new URLSearchParams({ csrf, time_zone: timeZone })
  const headers = { 'hx-request': 'true' }
  fetchInTeam('/account/time-zone', { method: 'POST', body, headers, keepalive: true }).catch(
    () => {},
  )
}

/** Copies the value or the text of the element that a button refers to. */
async function copy(button) {
  const source = document.getElementById(button.dataset.copy)
  if (source.select) source.select()
  else getSelection().selectAllChildren(source)
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent)
  } catch {
    // Browsers offer `navigator.clipboard` only over https; the older command also works over http.
    document.execCommand('copy')
  }
  button.focus()
  const label = button.querySelector('span')
  const before = label.textContent
  label.textContent = translate('console.copied')
  setTimeout(() => {
    label.textContent = before
  }, 2000)
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]')
  if (button) void copy(button)
})

/** The menu that is open, such as the teams of the person. */
const openMenu = () => document.querySelector('details[data-menu][open]')

document.addEventListener('click', ({ target }) => {
  const menu = openMenu()
  if (menu && !menu.contains(target)) menu.open = false
})

// Before the other scripts, for which Escape means something else.
document.addEventListener('keydown', (event) => {
  const menu = event.key === 'Escape' && openMenu()
  if (!menu || document.querySelector('dialog:modal')) return
  event.stopImmediatePropagation()
  const hadFocus = menu.contains(document.activeElement)
  menu.open = false
  if (hadFocus) menu.querySelector('summary').focus()
})

/** Shows a bar at the top until the next page is there. */
function showLoading() {
  document.documentElement.dataset.loading = ''
}

// A form is sent once, however often its button is pressed.
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event
  if (form.method !== 'post' || event.defaultPrevented) return
  if (form.dataset.sent) event.preventDefault()
  form.dataset.sent = 'true'
  submitter?.setAttribute('aria-busy', 'true')
  showLoading()
})

/** Lets the forms of this page be sent again. */
function endLoading() {
  delete document.documentElement.dataset.loading
  for (const form of document.querySelectorAll('form[data-sent]')) {
    delete form.dataset.sent
    for (const element of form.elements) element.removeAttribute('aria-busy')
  }
}

// `drafts.js` asks before a page with unsaved text is left. No event says that the person stays; the next press of a
// button or key shows it.
addEventListener('beforeunload', (event) => {
  if (!event.defaultPrevented) return
  for (const name of ['pointerdown', 'keydown'])
    addEventListener(name, endLoading, { once: true, capture: true })
})

document.addEventListener('change', ({ target }) => target.form?.setAttribute('data-changed', ''))

const opensAnotherPage = ({ origin, pathname, search, hash, target }) =>
  origin === location.origin &&
  target === '' &&
  (hash === '' || pathname + search !== location.pathname + location.search)

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href]:not([download])')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  // Another script may load what the link leads to without leaving the page.
  setTimeout(() => {
    if (!event.defaultPrevented && opensAnotherPage(link)) showLoading()
  })
})

// A page from the back/forward cache can contain a value that is shown only once, or belong to another
// session, so it is requested again.
addEventListener('pageshow', (event) => {
  // Not `reload()`, which can send a form again. An address with a `#` would be a place in this page.
  if (event.persisted) location.replace(location.pathname + location.search)
})

// On a phone, not all tabs fit in the line.
for (const tab of document.querySelectorAll('.tabs [aria-current]'))
  tab.parentElement.scrollLeft = tab.offsetLeft - (innerWidth - tab.offsetWidth) / 2

// A time zone that the person has chosen stays.
if (locale && timeZone && timeZone !== storedTimeZone && timeZoneChosen === undefined) {
  correctTimes()
  reportTimeZone()
  for (const name of ['htmx:after:swap', 'tidings:content'])
    document.addEventListener(name, correctTimes)
}

// htmx would remove what the response does not contain, such as an error page, also one of a proxy.
document.addEventListener('htmx:before:swap', (event) => {
  const { select, text, sourceElement, response } = event.detail.ctx
  const page = new DOMParser().parseFromString(text, 'text/html')
  if (!select || page.querySelector(select)) return
  event.preventDefault()
  if (response.status === 401) void signInAgain()
  else showFailedRequest(sourceElement, errorTextOf(page))
})
document.addEventListener('htmx:error', ({ detail: { ctx } }) =>
  showFailedRequest(ctx?.sourceElement),
)

/** Says that a request of htmx has failed; one that the page repeats by itself needs no message. */
function showFailedRequest(element, text = '') {
  if (!element || element.dataset.hxTrigger?.startsWith('every')) return
  showFailure(text || translate('common.cannot_be_reached'))
}

// Not part of the page: no swap of htmx may remove it.
const connectionState = document.createElement('p')
connectionState.className = 'toast offline'
connectionState.role = 'status'
document.body.append(connectionState)

/** Says that the browser is offline, until it is online again. */
function showConnectionState() {
  connectionState.textContent = navigator.onLine ? '' : translate('console.offline')
}

addEventListener('online', showConnectionState)
addEventListener('offline', showConnectionState)
showConnectionState()
