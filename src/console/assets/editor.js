// A rich-text editor in front of each text field for formatted text. The form sends the value of the field.

/* global Squire */

const isHtml = (text) => /<\/?[a-z][^>]*>/i.test(text)

/** Plain text as paragraphs; HTML stays as it is. */
function asHtml(text) {
  if (isHtml(text)) return text
  const paragraphs = text.split(/\n{2,}/).map((part) => {
    const paragraph = document.createElement('p')
    for (const [index, line] of part.split('\n').entries()) {
      if (index > 0) paragraph.append(document.createElement('br'))
      paragraph.append(line)
    }
    return paragraph.outerHTML
  })
  return paragraphs.join('')
}

function createEditor(field) {
  const area = document.createElement('div')
  area.className = 'rich-text prose'
  area.setAttribute('role', 'textbox')
  area.setAttribute('aria-multiline', 'true')
  const label = document.querySelector(`label[for="${field.id}"]`)
  area.setAttribute('aria-label', label.textContent.trim())
  // The hint describes the plain text field.
  document.getElementById(`${field.id}-hint`).hidden = true
  const error = document.getElementById(`${field.id}-error`)
  if (error) area.setAttribute('aria-describedby', error.id)
  const hasFocus = document.activeElement === field
  field.hidden = true
  field.required = false
  const editor = new Squire(area, { blockTag: 'P' })
  field.before(createEditorToolbar(editor, area), area)
  editor.setHTML(asHtml(field.value))
  const initialHtml = editor.getHTML()
  // Unchanged text is sent unchanged; the editor would reformat it.
  field.form.addEventListener('formdata', ({ formData }) => {
    const html = editor.getHTML()
    if (html !== initialHtml) formData.set(field.name, area.textContent.trim() === '' ? '' : html)
  })
  label.addEventListener('click', () => editor.focus())
  // Somebody has typed before this script was loaded.
  if (hasFocus) editor.focus().moveCursorToEnd()
}

/** The server sends and expects UTC; people see and type the time of their own time zone. */
function localizePublishAfter() {
  const field = document.querySelector('input[name="publish_after"]:not([data-localized])')
  if (!field) return
  field.dataset.localized = ''
  if (field.value) field.value = shiftTimeZone(field.value, 1)
  document.getElementById(`${field.id}-hint`).textContent = translate('editor.in_your_time_zone')
  field.form.addEventListener('formdata', ({ formData }) => {
    if (field.value) formData.set('publish_after', shiftTimeZone(field.value, -1))
  })
}

/** Shifts a `datetime-local` value from UTC to local time (1) or back (-1). */
const shiftTimeZone = (value, sign) => {
  const at = new Date(`${value}:00Z`)
  return new Date(at.getTime() - sign * new Date(value).getTimezoneOffset() * 60_000)
    .toISOString()
    .slice(0, 16)
}

/** Runs again when a script has replaced the form. */
function startEditor() {
  for (const field of document.querySelectorAll('textarea[data-rich-text]')) {
    if (!field.hidden) createEditor(field)
  }
  localizePublishAfter()
}

startEditor()
document.addEventListener('tidings:content', startEditor)
