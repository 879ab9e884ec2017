// Announcements for screen readers: they announce what changes in a live region that was there before.

const announcement = document.createElement('p')
announcement.className = 'visually-hidden'
announcement.role = 'status'
document.body.append(announcement)

/** Announces a text that the page does not show. */
window.announce = (text) => {
  announcement.textContent = text
}

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
