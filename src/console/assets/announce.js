// Announcements for screen readers: they announce what changes in a live region that was there before.

const announcement = document.createElement('p')
announcement.className = 'visually-hidden'
announcement.role = 'status'
document.body.append(announcement)

/** Announces a text that the page does not show. */
window.announce = (text) => {
  announcement.textContent = text
}

// Not part of the page: no swap may remove it.
const toast = document.createElement('p')
toast.id = 'toast'
toast.className = 'toast'
toast.role = 'status'
document.body.append(toast)

const shownForMs = { success: 5000 }
let toastTimer

/** Shows and announces the result of an action; an error stays until the next message, or for `ms`. */
window.showToast = (text, tone = 'success', ms = shownForMs[tone]) => {
  toast.className = `toast ${tone}`
  toast.textContent = text
  clearTimeout(toastTimer)
  if (ms) toastTimer = setTimeout(() => toast.classList.remove(tone), ms)
}

/** Says why an action had no result, long enough to read two lines. */
window.showFailure = (text) => showToast(text, 'danger', 10_000)

/** Announces the text of a live region that has just appeared. */
window.announceNew = (element) => {
  // Screen readers need a moment to find the region.
  setTimeout(() => {
    element.replaceChildren(element.textContent)
  }, 50)
}

// The result of the last action is in the page from the beginning.
const result = document.querySelector('#main > .notice[role=status]')
addEventListener('load', () => result && announceNew(result.querySelector('span') ?? result))
