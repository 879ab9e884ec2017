// Formats text in the rich-text editor by the markers of Markdown, as they are typed or pasted.

/* global commands, elementOf, isSet, pastedBlocks, setHeading, textLines, toggleHeading */

/** A Markdown marker and a space at the start of a paragraph set the format of the paragraph. */
function formatByMarker(editor, event) {
  const caret = event.key === ' ' && editor.getSelection()
  const line = caret?.collapsed && elementOf(caret.startContainer).closest(textLines)
  if (!line) return
  const found = textBetween(line, caret).toString()
  const command = commands.find(({ markers = [] }) => markers.includes(found))
  const isHeading = line.nodeName !== 'P'
  // A heading gets the level of the marker; other markers are text in it.
  if (!command || (isHeading ? command.run !== toggleHeading : isSet(editor, command))) return
  event.preventDefault()
  event.stopImmediatePropagation()
  editor.saveUndoState(caret)
  const typed = textBetween(line, caret)
  typed.deleteContents()
  if (line.textContent === '') line.replaceChildren(document.createElement('br'))
  typed.setStart(line, 0)
  typed.collapse(true)
  editor.setSelection(typed)
  if (isHeading) setHeading(editor, true)
  else command.run(editor)
}

/** What is between the start of a line and the caret. */
function textBetween(line, caret) {
  const range = document.createRange()
  range.setStart(line, 0)
  range.setEnd(caret.startContainer, caret.startOffset)
  return range
}

/** The last characters before the caret. The editor may have joined their text with the one before. */
function rangeBefore({ startContainer: node, startOffset: offset }, length) {
  const isText = node.nodeType === Node.TEXT_NODE
  const text = isText ? node : node.childNodes[offset - 1]
  const end = isText ? offset : text.length
  const range = document.createRange()
  range.setStart(text, end - length)
  range.setEnd(text, end)
  return range
}

/** The last marker of Markdown around some words sets their format: `**bold**`, `*italic*`, or with `_`. */
function formatWords(editor, event) {
  const caret = editor.getSelection()
  const { startContainer: text, startOffset: end, collapsed } = caret
  if (!'*_'.includes(event.key) || !collapsed || text.nodeType !== Node.TEXT_NODE) return
  const typed = text.data.slice(0, end) + event.key
  const found = /(?<![*_\w])(\*\*?|__?)([^*_\s](?:[^*_]*[^*_\s])?)\1$/.exec(typed)
  if (!found) return
  event.preventDefault()
  event.stopImmediatePropagation()
  const [all, marker, words] = found
  editor.saveUndoState(caret)
  const range = rangeBefore(caret, all.length - 1)
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

const listItem = /^\s*(?:[-*•]|(\d{1,3})[.)])\s+/

/** Pasted lines that begin with the marker of a list become a list. A single one may be a sentence with a dash. */
window.formatPastedLines = (fragment) => {
  wrapFirstLine(fragment)
  let run = []
  for (const line of [...fragment.childNodes, null]) {
    if (run.length > 0 && kindOf(line) !== kindOf(run[0])) {
      if (run.length > 1) replaceByList(run)
      run = []
    }
    if (kindOf(line) !== '') run.push(line)
  }
}

/** The kind of list of which a pasted line is an item; empty for other content. */
function kindOf(line) {
  const found = line?.nodeName === 'P' && listItem.exec(line.textContent)
  if (!found) return ''
  return found[1] ? 'ol' : 'ul'
}

/** The editor pastes the first of several lines without an element, as a part of the line before. */
function wrapFirstLine(fragment) {
  const first = document.createElement('p')
  while (fragment.firstChild && !fragment.firstChild.matches?.(pastedBlocks))
    first.append(fragment.firstChild)
  const isItem = kindOf(first) !== '' && kindOf(first) === kindOf(fragment.firstElementChild)
  fragment.prepend(...(isItem ? [first] : first.childNodes))
}

function replaceByList(lines) {
  const list = document.createElement(kindOf(lines[0]))
  const start = Number(listItem.exec(lines[0].textContent)[1] ?? 1)
  if (start !== 1) list.setAttribute('start', start)
  lines[0].before(list)
  for (const line of lines) {
    const item = document.createElement('li')
    removeMarker(line)
    item.append(...line.childNodes)
    list.append(item)
    line.remove()
  }
}

/** Removes the marker, also when it is in an element such as bold text. */
function removeMarker(line) {
  let left = listItem.exec(line.textContent)[0].length
  const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
  while (left > 0 && walker.nextNode()) {
    const { currentNode } = walker
    const removed = Math.min(left, currentNode.length)
    currentNode.deleteData(0, removed)
    left -= removed
  }
}
