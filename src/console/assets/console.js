// Behavior that all pages share. Every page also works without this script.

// As short as the server's format, so that hardly anything on the page moves.
const formats = {
  time: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
}

/** Shows moments in the reader's own time zone; the server sends UTC. */
function localise(root) {
  for (const time of root.querySelectorAll('time[data-local]')) {
    const at = new Date(time.dateTime)
    if (Number.isNaN(at.getTime())) continue
    time.title = `${time.dateTime.slice(0, 16).replace('T', ' ')} UTC`
    time.textContent = formats[time.dataset.local].format(at)
    delete time.dataset.local
  }
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
  const label = button.querySelector('span')
  const before = label.textContent
  label.textContent = 'Copied'
  setTimeout(() => {
    label.textContent = before
  }, 2000)
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]')
  if (button) void copy(button)
})

// A form is sent once, however often its button is pressed.
document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.method !== 'post' || event.defaultPrevented) return
  if (form.dataset.sent) event.preventDefault()
  form.dataset.sent = 'true'
})

// A page from the back/forward cache can contain a value that is shown only once, or belong to another
// session, so it is requested again.
addEventListener('pageshow', (event) => {
  // Not `reload()`, which can send a form again.
  if (event.persisted) location.replace(location.href)
})

// Elements that need this script are hidden until it runs.
for (const element of document.querySelectorAll('[data-requires-script]')) element.hidden = false
localise(document)
for (const name of ['htmx:after:swap', 'tidings:content'])
  document.addEventListener(name, () => localise(document))
