// Shows the form of another page in this one, and loads the scripts that the form needs.

/** Resolves when the script has run, or when it cannot be loaded. */
window.loadScript = (src) => {
  const script = document.createElement('script')
  script.src = src
  const loaded = new Promise((resolve) => {
    for (const name of ['load', 'error']) script.addEventListener(name, resolve, { once: true })
  })
  document.head.append(script)
  return loaded
}

/** The form of a page, with ids that this page does not have; null for a page without one. */
window.formFrom = (page) => {
  const form = page.querySelector('#main form[data-draft]')
  if (!form) return null
  for (const element of form.querySelectorAll('[id]')) element.id = `edit-${element.id}`
  for (const name of ['for', 'aria-describedby', 'aria-labelledby', 'list']) {
    for (const element of form.querySelectorAll(`[${name}]`)) {
      const ids = element.getAttribute(name).split(' ')
      element.setAttribute(name, ids.map((id) => `edit-${id}`).join(' '))
    }
  }
  return form
}

/** Focuses the first field of a form, without scrolling. */
window.focusFirstField = (form) => {
  const fields = '.rich-text, input:not([type=hidden], [type=file], [hidden]), textarea, select'
  const first = [...form.querySelectorAll(fields)].find((field) => field.checkVisibility())
  first?.focus({ preventScroll: true })
  // Typing goes on at the end of the text.
  if (first?.type === 'text') first.setSelectionRange(first.value.length, first.value.length)
}
