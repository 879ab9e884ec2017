// Takes a newsletter away by the clipboard; the downloads beside it work without.

const said = document.getElementById('said')

function say(tone, text) {
  said.className = `toast ${tone}`
  said.textContent = text
}

/** Puts text on the clipboard as it is; false where the browser does not let us. */
function putOnClipboard(text, type) {
  const put = (event) => {
    event.clipboardData.setData(type, text)
    event.preventDefault()
  }
  document.addEventListener('copy', put)
  const done = document.execCommand('copy')
  document.removeEventListener('copy', put)
  return done
}

/** Copies a mail: as a page to paste into a message, or as its source. */
async function copyMail(url, type) {
  try {
    const response = await fetch(url)
    const text = await response.text()
    // The newer way takes a page apart and drops its looks; it is for browsers without the older one.
    if (!putOnClipboard(text, type)) {
      await navigator.clipboard.write([new ClipboardItem({ [type]: new Blob([text], { type }) })])
    }
    say(
      'good',
      type === 'text/html' ? 'Copied. Paste it into a new message.' : 'The HTML is copied.',
    )
  } catch {
    say('bad', 'The browser does not allow copying. Download the file instead.')
  }
}

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy-mail], [data-copy-source]')
  if (!button) return
  const { copyMail: mail, copySource: source } = button.dataset
  void copyMail(mail ?? source, mail ? 'text/html' : 'text/plain')
})
