// The toolbar of the rich-text editor, and its dialog for links.

/** Each button: the key of its name, SVG path data of its icon, the tag that it sets, and what it does. */
const commands = [
  {
    name: translate('editor-toolbar.bold'),
    icon: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
    tag: 'B',
    run: (editor) => toggle(editor, 'B', 'bold', 'removeBold'),
  },
  {
    name: translate('editor-toolbar.italic'),
    icon: 'M10 5h7M7 19h7M14 5l-4 14',
    tag: 'I',
    run: (editor) => toggle(editor, 'I', 'italic', 'removeItalic'),
  },
  {
    name: translate('editor-toolbar.heading'),
    icon: 'M6 5v14M18 5v14M6 12h12',
    tag: 'H3',
    markers: ['#', '##', '###'],
    run: toggleHeading,
  },
  {
    name: translate('editor-toolbar.list'),
    icon: 'M9 6h11M9 12h11M9 18h11M4.5 6v.1M4.5 12v.1M4.5 18v.1',
    startsGroup: true,
    tag: 'UL',
    markers: ['-', '*'],
    run: (editor) => toggle(editor, 'UL', 'makeUnorderedList', 'removeList'),
  },
  {
    name: translate('editor-toolbar.numbered_list'),
    icon: 'M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M3.5 15a1.3 1.3 0 1 1 2.3.9L3.5 19h2.7',
    tag: 'OL',
    markers: ['1.', '1)'],
    run: (editor) => toggle(editor, 'OL', 'makeOrderedList', 'removeList'),
  },
  {
    name: translate('editor-toolbar.quote'),
    icon: 'M5 6v12M9.5 8H20M9.5 12H20M9.5 16H16',
    tag: 'BLOCKQUOTE',
    markers: ['>'],
    run: (editor) => toggle(editor, 'BLOCKQUOTE', 'increaseQuoteLevel', 'decreaseQuoteLevel'),
  },
  {
    name: translate('editor-toolbar.link'),
    icon: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
    startsGroup: true,
    tag: 'A',
    run: editLink,
  },
  {
    name: translate('editor-toolbar.image'),
    icon: 'M4 5h16v14H4zM4 16l4.5-4.5L12 15l3.5-3.5L20 16M9 9.1v.1',
    images: true,
    run: chooseImage,
  },
  {
    name: translate('editor-toolbar.undo'),
    icon: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
    startsGroup: true,
    run: (editor) => editor.undo(),
  },
  {
    name: translate('editor-toolbar.redo'),
    icon: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
    run: (editor) => editor.redo(),
  },
]

function toggle(editor, tag, on, off) {
  if (editor.hasFormat(tag)) editor[off]()
  else editor[on]()
}

/** Headings have one level; pasted content can have others. */
const headings = ['H1', 'H2', 'H3', 'H4', 'H5', 'H6']
const textLines = ['P', ...headings].join()

/** True when the format of a command is set where the selection is. */
const isSet = (editor, { tag }) =>
  (tag === 'H3' ? headings : [tag]).some((one) => editor.hasFormat(one))

/** Turns the selected lines into headings, or back into paragraphs. */
function toggleHeading(editor) {
  setHeading(editor, !isSet(editor, { tag: 'H3' }))
}

function setHeading(editor, isHeading) {
  editor.modifyBlocks((fragment) => {
    for (const line of [...fragment.querySelectorAll(`${textLines}, div`)]) {
      const block = document.createElement(isHeading ? 'h3' : 'p')
      block.append(...line.childNodes)
      line.replaceWith(block)
    }
    return fragment
  })
}

/** Opens the dialog for an image. Its script is loaded on use; the composer has loaded it. */
function chooseImage(editor, field) {
  if (window.insertImage) return window.insertImage(editor, field)
  const paths = JSON.parse(document.getElementById('later-scripts').textContent)
  const src = paths.find((path) => path.endsWith('/editor-image.js'))
  const script = Object.assign(document.createElement('script'), { src })
  script.addEventListener('load', () => window.insertImage(editor, field))
  document.head.append(script)
}

/** The link in which the selection is, or null. */
const selectedLink = (range) => elementOf(range.commonAncestorContainer).closest('a')

const elementOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)

/** Asks for the address of a link in a dialog. A new link without a selection shows its address. */
function editLink(editor) {
  const range = editor.getSelection()
  const link = selectedLink(range)
  if (link) range.selectNode(link)
  const dialog = linkDialog(link?.getAttribute('href') ?? '')
  dialog.addEventListener('close', () => {
    dialog.remove()
    editor.focus()
    editor.setSelection(range)
    if (dialog.returnValue === 'remove') editor.removeLink()
    if (dialog.returnValue === 'apply') {
      editor.makeLink(completeAddress(dialog.querySelector('input').value))
    }
  })
  document.body.append(dialog)
  dialog.showModal()
}

const completeAddress = (text) =>
  /^(https?:\/\/|mailto:)/i.test(text.trim()) ? text.trim() : `https://${text.trim()}`

const isAddress = (text) =>
  /^mailto:[^\s@]+@\S+$/i.test(text) || (URL.canParse(text) && new URL(text).hostname.includes('.'))

function linkDialog(address) {
  const dialog = document.createElement('dialog')
  dialog.className = 'card link-dialog'
  dialog.setAttribute('aria-labelledby', 'link-dialog-title')
  dialog.innerHTML = `<form method="dialog">
    <h2 id="link-dialog-title"></h2>
    <label for="link-dialog-address"></label>
    <input id="link-dialog-address" type="text" inputmode="url" autocomplete="off" required>
    <div class="row">
      <button class="primary" value="apply"></button>
      <button class="quiet" value="remove" formnovalidate></button>
      <button class="quiet" value="cancel" formnovalidate></button>
    </div>
  </form>`
  const [apply, remove, cancel] = dialog.querySelectorAll('button')
  const input = dialog.querySelector('input')
  dialog.querySelector('h2').textContent = translate('editor-toolbar.link')
  dialog.querySelector('label').textContent = translate('editor-toolbar.link_address')
  apply.textContent = translate('editor-toolbar.apply')
  remove.textContent = translate('editor-toolbar.remove_link')
  remove.hidden = address === ''
  cancel.textContent = translate('editor-toolbar.cancel')
  input.value = address
  input.addEventListener('input', () => {
    const isValid = isAddress(completeAddress(input.value))
    input.setCustomValidity(isValid ? '' : translate('editor-toolbar.invalid_address'))
  })
  return dialog
}

function iconOf(path) {
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(namespace, 'svg')
  const shape = document.createElementNS(namespace, 'path')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('width', '18')
  svg.setAttribute('height', '18')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  shape.setAttribute('d', path)
  svg.append(shape)
  return svg
}

/** Returns the toolbar of an editor whose text is in `area` and is sent with `field`. */
window.createEditorToolbar = (editor, area, field) => {
  const toolbar = document.createElement('div')
  toolbar.className = 'rich-text-toolbar'
  toolbar.setAttribute('role', 'toolbar')
  toolbar.setAttribute('aria-label', translate('editor-toolbar.formatting'))
  const hasImages = field.dataset.richText === 'images'
  const shown = commands.filter(({ images }) => hasImages || !images)
  for (const { name, icon, tag, startsGroup, run } of shown) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = startsGroup ? 'quiet small starts-group' : 'quiet small'
    button.title = name
    button.setAttribute('aria-label', name)
    button.append(iconOf(icon))
    button.addEventListener('click', () => {
      editor.focus()
      run(editor, field)
    })
    if (tag) {
      button.setAttribute('aria-pressed', 'false')
      editor.addEventListener('pathChange', () => {
        button.setAttribute('aria-pressed', String(isSet(editor, { tag })))
      })
    }
    toolbar.append(button)
  }
  const onKey = (event) => window.formatMarkdown?.(editor, event)
  area.addEventListener('keydown', onKey, { capture: true })
  for (const key of ['Ctrl-k', 'Meta-k']) {
    editor.setKeyHandler(key, (_, event) => {
      event.preventDefault()
      editLink(editor)
    })
  }
  return toolbar
}
