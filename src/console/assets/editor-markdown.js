// Formats text in the rich-text editor by the markers of Markdown, as they are typed.

/* global commands, elementOf */

/** A Markdown marker and a space at the start of a paragraph set the format of the paragraph. */
function formatByMarker(editor, event) {
  const caret = event.key === ' ' && editor.getSelection()
  const paragraph = caret?.collapsed && elementOf(caret.startContainer).closest('p')
  if (!paragraph) return
  const typed = document.createRange()
  typed.setStart(paragraph, 0)
  typed.setEnd(caret.startContainer, caret.startOffset)
  const command = commands.find(({ markers = [] }) => markers.includes(typed.toString()))
  if (!command || editor.hasFormat(command.tag)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  editor.saveUndoState(caret)
  typed.deleteContents()
  if (paragraph.textContent === '') paragraph.replaceChildren(document.createElement('br'))
  typed.setStart(paragraph, 0)
  typed.collapse(true)
  editor.setSelection(typed)
  command.run(editor)
}

/** The last marker of Markdown around some words sets their format: `**bold**`, `*italic*`, or with `_`. */
function formatWords(editor, event) {
  const { startContainer: text, startOffset: end, collapsed } = editor.getSelection()
  if (!'*_'.includes(event.key) || !collapsed || text.nodeType !== Node.TEXT_NODE) return
  const typed = text.data.slice(0, end) + event.key
  const found = /(?<![*_\w])(\*\*?|__?)([^*_\s](?:[^*_]*[^*_\s])?)\1$/.exec(typed)
  if (!found) return
  event.preventDefault()
  event.stopImmediatePropagation()
  const [, marker, words] = found
  const range = document.createRange()
  editor.saveUndoState(editor.getSelection())
  range.setStart(text, found.index)
  range.setEnd(text, end)
  range.deleteContents()
  const inserted = document.createTextNode(words)
  range.insertNode(inserted)
  range.selectNodeContents(inserted)
  editor.setSelection(range)
  const isBold = marker.length === 2
  editor[isBold ? 'bold' : 'italic']()
  // What is typed next has no format.
  const next = editor.getSelection()
  next.collapse(false)
  editor.setSelection(next)
  editor[isBold ? 'removeBold' : 'removeItalic']()
}

/** Formats by the marker that a key completes; the key is then not typed. */
window.formatMarkdown = (editor, event) => {
  formatByMarker(editor, event)
  if (!event.defaultPrevented) formatWords(editor, event)
}
