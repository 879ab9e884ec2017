// Cleans HTML that Word, Excel, Google Docs, Slack, Gmail or Apple Notes put on the clipboard: formatting that
// is in styles becomes elements, lists become lists, and classes, styles and wrappers are removed.

/* global DOMPurify */

/** The attributes that stay, by element. */
const keptAttributes = {
  A: ['href', 'title'],
  IMG: ['src', 'alt', 'width', 'height'],
  OL: ['start'],
  TD: ['colspan', 'rowspan'],
  TH: ['colspan', 'rowspan', 'scope'],
}
const pastedBlocks =
  'p, div, ul, ol, li, table, thead, tbody, tfoot, tr, td, th, blockquote, pre, hr, h1, h2, h3, h4, h5, h6'

/** The clean content of HTML from the clipboard. */
window.cleanPastedContent = (html) => {
  const options = { RETURN_DOM_FRAGMENT: true, FORBID_TAGS: ['style', 'colgroup', 'col'] }
  const content = document.importNode(DOMPurify.sanitize(html, options), true)
  const each = (selector, clean) => [...content.querySelectorAll(selector)].forEach(clean)
  each('[id^="docs-internal-guid"]', unwrap)
  convertWordLists([...content.querySelectorAll('p[style*="mso-list"]')])
  each('p.MsoTitle', (title) => rename(title, 'h1'))
  each('img', cleanImage)
  each('a', cleanLink)
  each('b, strong, i, em, u, s, span, font, a', convertStyles)
  each('ul, ol', nestList)
  each('li > p:only-child, li > div:only-child', unwrap)
  each('div', (block) => (block.querySelector(pastedBlocks) ? unwrap(block) : rename(block, 'p')))
  each('span, font, label, center, article, section', unwrap)
  each('*', keepAttributes)
  each('p', (paragraph) => isEmpty(paragraph) && paragraph.remove())
  each('br', removeBetweenBlocks)
  replaceHardSpaces(content)
  return content
}

function unwrap(element) {
  element.replaceWith(...element.childNodes)
}

/** Replaces an element by another one with the same content, and returns that. */
function rename(element, name) {
  const renamed = document.createElement(name)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
  return renamed
}

function keepAttributes(element) {
  const kept = keptAttributes[element.tagName] ?? []
  for (const { name } of [...element.attributes]) {
    if (!kept.includes(name)) element.removeAttribute(name)
  }
}

/** Google Docs puts line breaks between blocks, which are apart anyway. */
function removeBetweenBlocks(lineBreak) {
  const { parentNode, previousSibling, nextSibling } = lineBreak
  const isBlock = (node) => node === null || node.nodeName === 'BR' || node.matches?.(pastedBlocks)
  if (!parentNode.parentNode && isBlock(previousSibling) && isBlock(nextSibling)) lineBreak.remove()
}

const isEmpty = (element) =>
  element.textContent.trim() === '' && !element.querySelector('img, br + br')

/** Word writes lists as paragraphs with a level and a typed marker. */
function convertWordLists(paragraphs) {
  /** The open lists, the outermost first. */
  let open = []
  for (const paragraph of paragraphs) {
    const level = Number(/level(\d)/.exec(paragraph.getAttribute('style'))?.[1] ?? 1)
    const marker = takeMarker(paragraph)
    if (open.length === 0 || nextElement(open[0]) !== paragraph) open = []
    open.length = Math.min(open.length, level)
    if (open.length < level) open.push(addList(paragraph, marker, open.at(-1)))
    const item = document.createElement('li')
    item.append(...paragraph.childNodes)
    open.at(-1).append(item)
    paragraph.remove()
  }
}

/** Removes the marker from a paragraph of a list, and returns it: `·` or `1.` */
function takeMarker(paragraph) {
  const parts = [...paragraph.querySelectorAll('[style*="mso-list"]')]
  const marker = parts.map(({ textContent }) => textContent).join('')
  for (const part of parts) part.remove()
  return marker.trim()
}

/** A new list, in the last item of an outer list or before the paragraph. */
function addList(paragraph, marker, outer) {
  const list = document.createElement(/^\(?\w{1,4}[.)]/.test(marker) ? 'ol' : 'ul')
  if (outer) outer.lastElementChild.append(list)
  else paragraph.before(list)
  return list
}

/** The next element, unless there is text in between. */
function nextElement(element) {
  let next = element.nextSibling
  while (next && next.nodeType !== Node.ELEMENT_NODE && next.textContent.trim() === '')
    next = next.nextSibling
  return next
}

// The source of a list can be any page, and each level is looked for.
const maxIndent = 20

/** Puts a list where HTML wants it: Google Docs puts it between the items, Slack after the outer list. */
function nestList(list) {
  const before = list.previousElementSibling
  if (list.parentElement?.matches('ul, ol') && before?.matches('li')) before.append(list)
  const indent = Math.min(Number(list.dataset.indent ?? 0), maxIndent)
  if (indent === 0 || !before?.matches('ul, ol')) return
  let item = before.lastElementChild
  for (let level = 1; level < indent; level++)
    item = item.querySelector(':scope > :is(ul, ol) > li:last-child') ?? item
  item.append(list)
}

/** A style, its values, the element that means the same, and the elements in which it is not needed. */
const styleElements = [
  ['font-weight', /^(?:bold|[6-9]00)/, 'b', 'b, strong'],
  ['font-style', /^italic/, 'i', 'i, em'],
  ['text-decoration', /underline/, 'u', 'u, a'],
  ['text-decoration', /line-through/, 's', 's, del'],
  ['vertical-align', /^super/, 'sup', 'sup'],
  ['vertical-align', /^sub/, 'sub', 'sub'],
]

/** The value of a style. Read from the attribute, because the policy of the page makes `style` empty. */
function styleOf(element, wanted) {
  for (const declaration of (element.getAttribute('style') ?? '').split(';')) {
    const [name, ...value] = declaration.split(':')
    if (name.trim().toLowerCase() === wanted) return value.join(':').trim().toLowerCase()
  }
  return ''
}

/** Makes elements of the formatting that is in the style of an element. */
function convertStyles(element) {
  const isPlain =
    (element.matches('b, strong') && /^(?:normal|[1-4]00)/.test(styleOf(element, 'font-weight'))) ||
    (element.matches('i, em') && styleOf(element, 'font-style') === 'normal')
  if (isPlain) return unwrap(element)
  if (element.textContent.trim() === '' || element.querySelector(pastedBlocks)) return
  for (const [style, values, name, same] of styleElements) {
    const isNeeded = !element.closest(same) && !element.closest('h1, h2, h3, h4, h5, h6')
    if (!isNeeded || !values.test(styleOf(element, style))) continue
    const added = document.createElement(name)
    added.append(...element.childNodes)
    element.append(added)
  }
}

/** Emoji become text, and images of the computer that they were copied on are removed. */
function cleanImage(image) {
  const codes = /\/([0-9a-f]{2,5}(?:-[0-9a-f]{2,5})*)(?:@2x)?\.png$/.exec(
    image.getAttribute('src') ?? '',
  )?.[1]
  const { stringifyEmoji, emoji } = image.dataset
  if (emoji) image.replaceWith(emoji)
  else if (stringifyEmoji && codes)
    image.replaceWith(
      String.fromCodePoint(...codes.split('-').map((code) => Number.parseInt(code, 16))),
    )
  else if (stringifyEmoji) image.replaceWith(stringifyEmoji)
  else if (!isOnWeb(image)) image.remove()
}

const isOnWeb = (image) => /^https?:/.test(image.getAttribute('src') ?? '')

/**
 * Says below the editor that an image of pasted HTML was removed, or is shown from another website, and what to do,
 * until the next paste.
 */
window.reportLostImages = (area, field, html) => {
  if (area.nextElementSibling?.matches('[data-lost-images]')) area.nextElementSibling.remove()
  const text = imageProblem(html, field.dataset.richText === 'images')
  if (!text) return
  const notice = document.createElement('p')
  notice.className = 'notice warning'
  notice.role = 'status'
  notice.dataset.lostImages = ''
  notice.textContent = text
  area.after(notice)
  announceNew(notice)
}

/** What to do about the images of pasted HTML; empty when there is nothing to do. */
function imageProblem(html, canUpload) {
  const isImage = ({ dataset }) => !(dataset.emoji || dataset.stringifyEmoji)
  const images = [...new DOMParser().parseFromString(html, 'text/html').images].filter(isImage)
  if (images.some((image) => !isOnWeb(image)))
    return canUpload
      ? translate('pasted-content.image_lost')
      : translate('pasted-content.image_lost_add_later')
  const elsewhere = images.find(({ src }) => new URL(src).host !== location.host)
  if (!elsewhere) return ''
  const { host } = new URL(elsewhere.src)
  return canUpload
    ? translate('pasted-content.image_elsewhere', { host })
    : translate('pasted-content.image_elsewhere_add_later', { host })
}

/** The parameter with the target of an address that only counts the click. */
const redirects = {
  'www.google.com/url': 'q',
  'slack-redir.net/link': 'url',
  'safelinks.protection.outlook.com/': 'url',
}

/** Links lead to their target, not to a page that counts the click; anchors are text. */
function cleanLink(link) {
  const href = link.getAttribute('href') ?? ''
  if (href === '' || href.startsWith('#')) return unwrap(link)
  if (!URL.canParse(href)) return
  const { host, pathname, searchParams } = new URL(href)
  const redirect = Object.keys(redirects).find((start) => `${host}${pathname}`.endsWith(start))
  const target = redirect ? searchParams.get(redirects[redirect]) : null
  if (target && /^https?:/.test(target)) link.setAttribute('href', target)
}

/** Programs use spaces that do not break lines where they want several spaces. */
function replaceHardSpaces(content) {
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { currentNode } = walker
    if (!currentNode.parentElement?.closest('pre'))
      currentNode.data = currentNode.data.replaceAll(/[ \u00a0]+/g, ' ')
  }
}
