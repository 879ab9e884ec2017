// Shows the form of another page in this one, and loads the scripts that the form needs.

/* global sentValues */

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

/** True for a form that edits something and in which the person has typed since it was sent. */
window.hasNewerText = (form) =>
  form.querySelector('[name^=original_]') !== null && valuesOf(form) !== sentValues.get(form)

/** The values of the form of a page as it is stored now; none when it cannot be loaded. */
async function storedValues(form) {
  // Two texts of which the person has chosen one are compared again.
  if (form.elements['conflict[]']) return new Map()
  const response = await fetchInTeam(form.dataset.page).catch(() => null)
  const page = new DOMParser().parseFromString((await response?.text()) ?? '', 'text/html')
  return new Map(new FormData(formFrom(page) ?? undefined))
}

const withoutBreaks = (text = '') => text.replaceAll('\r\n', '\n').trim()

/** Keeps a saved form open with the text that was typed since. The text that was sent is no change of another person. */
window.continueForm = async (form) => {
  const stored = await storedValues(form)
  const sent = JSON.parse(sentValues.get(form))
  const texts = new Map(sent)
  const initial = sent.map(([name, value]) => {
    const [, field] = /^original_(.+)/.exec(name) ?? []
    // Where the person had changed nothing, another person can have: the server compares that.
    const isSent = field && withoutBreaks(texts.get(field)) !== withoutBreaks(value)
    if (!isSent || !stored.has(name)) return [name, value]
    form.elements[name].value = stored.get(name)
    return [name, stored.get(name)]
  })
  drafts.set(form, { key: keyOf(form), initial: JSON.stringify(initial), stored: null })
  saveDraft(form)
  void window.autosave?.(form)
}

/** Focuses the first field of a form, without scrolling. */
window.focusFirstField = (form) => {
  const fields = '.rich-text, input:not([type=hidden], [type=file], [hidden]), textarea, select'
  const first = [...form.querySelectorAll(fields)].find((field) => field.checkVisibility())
  first?.focus({ preventScroll: true })
  // Typing goes on at the end of the text.
  if (first?.type === 'text') first.setSelectionRange(first.value.length, first.value.length)
}
