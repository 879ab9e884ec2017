// A small editor over the text field, which stays what is sent.

/* global Squire */

const commands = [
  ['Bold', 'B', 'B', (editor) => toggle(editor, 'B', 'bold', 'removeBold')],
  ['Italic', 'I', 'I', (editor) => toggle(editor, 'I', 'italic', 'removeItalic')],
  ['Heading', 'Heading', 'H3', (editor) => heading(editor)],
  ['List', 'List', 'UL', (editor) => toggle(editor, 'UL', 'makeUnorderedList', 'removeList')],
  [
    'Numbered list',
    '1. 2. 3.',
    'OL',
    (editor) => toggle(editor, 'OL', 'makeOrderedList', 'removeList'),
  ],
  [
    'Quote',
    'Quote',
    'BLOCKQUOTE',
    (editor) => toggle(editor, 'BLOCKQUOTE', 'increaseQuoteLevel', 'decreaseQuoteLevel'),
  ],
  ['Link', 'Link', 'A', (editor) => link(editor)],
]

function toggle(editor, tag, on, off) {
  if (editor.hasFormat(tag)) editor[off]()
  else editor[on]()
}

/** Makes the lines of the selection headings, or paragraphs again. */
function heading(editor) {
  const isHeading = editor.hasFormat('H3')
  editor.modifyBlocks((fragment) => {
    for (const line of [...fragment.querySelectorAll('p, h3, div')]) {
      const block = document.createElement(isHeading ? 'p' : 'h3')
      block.append(...line.childNodes)
      line.replaceWith(block)
    }
    return fragment
  })
}

function link(editor) {
  if (editor.hasFormat('A')) return editor.removeLink()
  const address = prompt('Web address of the link', 'https://')
  if (address && /^(https?:\/\/|mailto:)./i.test(address)) editor.makeLink(address)
}

/** Words without markup become paragraphs; markup is shown as what it says. */
const isHtml = (text) => /<\/?[a-z][^>]*>/i.test(text)

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

function start(field) {
  const area = document.createElement('div')
  area.className = 'rich prose'
  area.setAttribute('role', 'textbox')
  area.setAttribute('aria-multiline', 'true')
  area.setAttribute('aria-label', 'Text')
  // What it takes is plain to see now.
  document.getElementById('body-hint').hidden = true
  const fault = document.getElementById('body-fault')
  if (fault) area.setAttribute('aria-describedby', fault.id)
  const tools = document.createElement('div')
  tools.className = 'rich-tools'
  tools.setAttribute('role', 'toolbar')
  tools.setAttribute('aria-label', 'Formatting')
  field.before(tools, area)
  field.hidden = true
  field.required = false
  const editor = new Squire(area, { blockTag: 'P' })
  editor.setHTML(asHtml(field.value))
  const untouched = editor.getHTML()

  for (const [name, sign, tag, run] of commands) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'small'
    button.textContent = sign
    button.title = name
    button.setAttribute('aria-label', name)
    button.setAttribute('aria-pressed', 'false')
    button.addEventListener('click', () => {
      run(editor)
      editor.focus()
    })
    editor.addEventListener('pathChange', () => {
      button.setAttribute('aria-pressed', String(editor.hasFormat(tag)))
    })
    tools.append(button)
  }
  // Text that nobody has changed is sent as it was.
  field.form.addEventListener('formdata', ({ formData }) => {
    const html = editor.getHTML()
    if (html !== untouched) formData.set('body', area.textContent.trim() === '' ? '' : html)
  })
  document.querySelector('label[for="body"]').addEventListener('click', () => editor.focus())
}

/** The field for a moment contains UTC; here people see and type their own time. */
function localizeMoment() {
  const moment = document.getElementById('publish_after')
  if (moment.value) moment.value = shifted(moment.value, 1)
  document.getElementById('publish_after-hint').textContent =
    'In your time zone. The block is not sent earlier.'
  moment.form.addEventListener('formdata', ({ formData }) => {
    if (moment.value) formData.set('publish_after', shifted(moment.value, -1))
  })
}

const shifted = (value, sign) => {
  const at = new Date(`${value}:00Z`)
  return new Date(at.getTime() - sign * new Date(value).getTimezoneOffset() * 60_000)
    .toISOString()
    .slice(0, 16)
}

/** Also for a form that the server sent again. */
function startEditor() {
  const field = document.getElementById('body')
  if (!field || field.hidden) return
  start(field)
  localizeMoment()
}

startEditor()
document.addEventListener('tidings:content', startEditor)
