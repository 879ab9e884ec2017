// Copies a newsletter to the clipboard. The downloads work without this script.

/** Copies text unchanged; returns false when the browser does not allow it. */
function copyUnchanged(text, type) {
  const setData = (event) => {
    event.clipboardData.setData(type, text)
    event.preventDefault()
  }
  document.addEventListener('copy', setData)
  const done = document.execCommand('copy')
  document.removeEventListener('copy', setData)
  return done
}

/** The email at an address; null when a message says why there is none. */
async function fetchEmail(url) {
  const response = await fetchInTeam(url)
  if (new URL(response.url).pathname === '/login') {
    if (await signInAgain()) return await fetchEmail(url)
    showToast(translate('export.not_signed_in'), 'danger')
    return null
  }
  const text = await response.text()
  if (response.ok) return text
  showToast(errorTextOf(new DOMParser().parseFromString(text, 'text/html')), 'danger')
  return null
}

/** Copies an email: formatted, to paste it into a message, or its HTML source. */
async function copyEmail(url, type) {
  const text = await fetchEmail(url)
  if (text === null) return
  try {
    // `navigator.clipboard` removes styles from HTML, so it is used only when the older way fails.
    if (!copyUnchanged(text, type)) {
      await navigator.clipboard.write([new ClipboardItem({ [type]: new Blob([text], { type }) })])
    }
    showToast(
      type === 'text/html' ? translate('export.email_copied') : translate('export.html_copied'),
    )
  } catch {
    showToast(translate('export.not_copied'), 'danger')
  }
}

/** Stores the day of an export: without a planned date, the email has this day, and so has the archive. */
document.addEventListener('click', ({ target }) => {
  const day = document.querySelector('[name="exported_on"]')
  if (day && target.closest('[download], [data-copy-email], [data-copy-source]'))
    day.value = new Date().toISOString().slice(0, 10)
})

document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy-email], [data-copy-source]')
  if (!button) return
  const { copyEmail: url, copySource: sourceUrl } = button.dataset
  copyEmail(url ?? sourceUrl, url ? 'text/html' : 'text/plain').catch(() =>
    showToast(translate('common.cannot_be_reached'), 'danger'),
  )
})
