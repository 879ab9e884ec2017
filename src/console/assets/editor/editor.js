// A rich-text editor in front of each text field for formatted text. The form sends the value of the field.

/* global Squire, DOMPurify, cleanPastedContent */

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

/** The safe content of HTML; content from the clipboard is also clean. */
function contentOf(html) {
  if (typeof cleanPastedContent === 'function') return cleanPastedContent(html)
  return document.importNode(DOMPurify.sanitize(html, { RETURN_DOM_FRAGMENT: true }), true)
}

/** Loads what the page does not need at once after it; the composer loads it itself, and the dialog for images is loaded on use. */
function loadLaterScripts() {
  if (typeof cleanPastedContent === 'function') return
  const paths = JSON.parse(document.getElementById('later-scripts')?.textContent ?? '[]')
  for (const src of paths.filter((path) => !path.endsWith('/editor-image.js')))
    document.head.append(Object.assign(document.createElement('script'), { src }))
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
  const editor = new Squire(area, {
    blockTag: 'P',
    sanitizeToDOMFragment: contentOf,
  })
  editor.addEventListener('willPaste', ({ detail }) => {
    if (!detail.fragment) return
    window.formatPastedLines?.(detail.fragment)
    window.reportLostImages?.(area, field, detail.html)
  })
  field.before(createEditorToolbar(editor, area, field), area)
  editor.setHTML(asHtml(field.value))
  const initialHtml = htmlOf(editor)
  // Unchanged text is sent unchanged; the editor would reformat it.
  field.form.addEventListener('formdata', ({ formData }) => {
    const html = htmlOf(editor)
    if (html !== initialHtml) formData.set(field.name, htmlToSend(area, html))
  })
  reportChanges(editor, area)
  label.addEventListener('click', () => editor.focus())
  // Somebody has typed before this script was loaded.
  if (hasFocus) editor.focus().moveCursorToEnd()
}

/** The HTML of an editor, without the attribute that it gives an image while it is selected. */
function htmlOf(editor) {
  const html = editor.getHTML()
  if (!html.includes('tabindex')) return html
  const template = Object.assign(document.createElement('template'), { innerHTML: html })
  for (const image of template.content.querySelectorAll('img')) image.removeAttribute('tabindex')
  return template.innerHTML
}

/** Browsers send no `input` for what the editor itself changes: pasted text, formats, images and undo. */
function reportChanges(editor, area) {
  let known = htmlOf(editor)
  editor.addEventListener('input', () => {
    const html = htmlOf(editor)
    if (html === known) return
    known = html
    area.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

const isBlank = (element) => element.textContent.trim() === '' && !element.querySelector('img')

/** The HTML without what the editor needs: an empty last line, and blocks around the text of list items. */
function htmlToSend(area, html) {
  if (isBlank(area)) return ''
  const { content } = Object.assign(document.createElement('template'), { innerHTML: html })
  for (const block of content.querySelectorAll('li > :is(p, div):first-child')) {
    const others = [...block.parentElement.children].slice(1)
    if (others.every((other) => other.matches('ul, ol'))) block.replaceWith(...block.childNodes)
  }
  const blocks = [...content.children]
  while (blocks.at(-1)?.matches('p') && isBlank(blocks.at(-1))) blocks.pop().remove()
  const root = document.createElement('div')
  root.append(content)
  return root.innerHTML
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

/** The time zone that the person has chosen; otherwise the one of the browser. */
const { timeZone: zone, timeZoneChosen: zoneChosen } = document.body.dataset
const zoneFormat = new Intl.DateTimeFormat('sv-SE', {
  ...(zoneChosen !== undefined && { timeZone: zone }),
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** How far the clocks of the time zone are ahead of UTC at a moment, in ms. */
const zoneOffset = (at) => Date.parse(`${zoneFormat.format(at).replace(' ', 'T')}Z`) - at

/** Shifts a `datetime-local` value from UTC to local time (1) or back (-1). */
function shiftTimeZone(value, sign) {
  const at = Date.parse(`${value}:00Z`)
  // The offset at the moment itself: the clocks may have changed in between.
  const offset = sign === 1 ? zoneOffset(at) : -zoneOffset(at - zoneOffset(at))
  return new Date(at + offset).toISOString().slice(0, 16)
}

/** Runs again when a script has replaced the form. */
function startEditor() {
  for (const field of document.querySelectorAll('textarea[data-rich-text]')) {
    if (!field.hidden) createEditor(field)
  }
  localizePublishAfter()
}

startEditor()
loadLaterScripts()
document.addEventListener('tidings:content', startEditor)
