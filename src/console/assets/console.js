// Small comforts. Every page works without them.

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

/** Puts the field or the text that a button names on the clipboard. */
async function copy(button) {
  const source = document.getElementById(button.dataset.copy)
  if (source.select) source.select()
  else getSelection().selectAllChildren(source)
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent)
  } catch {
    // Over plain http browsers have no clipboard for us; the older way still works.
    document.execCommand('copy')
  }
  const words = button.querySelector('span')
  const before = words.textContent
  words.textContent = 'Copied'
  setTimeout(() => {
    words.textContent = before
  }, 2000)
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]')
  if (button) void copy(button)
})

// A form is sent once, however often its button is pressed; htmx sees to its own. A form that gives a
// file, and stays on the page, says `data-repeat`.
document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.method !== 'post' || event.defaultPrevented || 'repeat' in form.dataset) return
  if (form.dataset.sent) event.preventDefault()
  form.dataset.sent = 'true'
})

// A page out of the back/forward cache may hold what was shown once, or belong to another session.
addEventListener('pageshow', (event) => {
  // Not a reload: that could send a form once more.
  if (event.persisted) location.replace(location.href)
})

// Whatever needs this script is hidden until it runs.
for (const element of document.querySelectorAll('[data-script]')) element.hidden = false
localise(document)
for (const arrival of ['htmx:after:swap', 'tidings:content'])
  document.addEventListener(arrival, () => localise(document))
