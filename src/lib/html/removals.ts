import type sanitize from 'sanitize-html'
import { isBareAttribute, isKnownTag } from './looks-like-html.ts'

/** Elements that are removed with a text that browsers show. */
const shownElements = ['textarea', 'option', 'svg', 'math', 'object', 'xmp', 'plaintext']
/** Elements that are removed with their content, which is code or markup, not prose. */
export const removedElements = [
  ...shownElements,
  ...['script', 'style', 'noscript', 'template', 'title', 'iframe', 'noembed', 'noframes'],
]

/** Elements that emails do not show, and whose address somebody may want to link to instead. */
const embeddedElements = new Set(['iframe', 'video', 'audio', 'embed'])

/** Elements whose parts have names of their own, such as `path`. */
const drawings = ['svg', 'math']
/** Parts of a drawing that show text. */
const drawnText = ['text', 'tspan', 'textpath', 'mi', 'mn', 'mo', 'mtext']

/**
 * Options with which sanitize-html reports embedded elements, images and texts that it removes, words that
 * only look like parts of a tag, and addresses without a scheme.
 */
export function reporting(
  onRemoval: (removal: Removal) => void,
  allowedTags: readonly string[],
): Pick<sanitize.IOptions, 'onOpenTag' | 'onCloseTag'> {
  let drawing: string | null = null
  const reportWords = (name: string, attributes: sanitize.Attributes) => {
    for (const word of wordsOf(name, attributes, allowedTags)) {
      onRemoval({ kind: 'word', name: word })
    }
  }
  return {
    onOpenTag(name, attributes) {
      if (drawing !== null) {
        if (drawnText.includes(name)) onRemoval({ kind: 'text', name: drawing })
      } else if (drawings.includes(name)) {
        drawing = name
      } else if (embeddedElements.has(name)) {
        onRemoval({ kind: 'embedded', name })
      } else {
        reportWords(name, attributes)
        reportAddress(name, attributes, onRemoval)
      }
    },
    onCloseTag(name) {
      if (name === drawing) drawing = null
    },
  }
}

function reportAddress(
  name: string,
  { href = '', src = '', alt = '' }: sanitize.Attributes,
  onRemoval: (removal: Removal) => void,
) {
  const address = (name === 'a' ? href : src).trim()
  if (isRelative(address)) onRemoval({ kind: 'address', name: address })
  else if (name === 'img' && address !== '' && !/^https?:/i.test(address)) {
    onRemoval(removedImage(alt))
  }
}

/** An image that is removed, by its alternative text. */
export const removedImage = (alt: string): Removal => ({
  kind: 'image',
  name: alt.trim() || 'without a text',
})

/** The rest of a text whose HTML would be too long, by its first words. */
export const cutOff = (rest: string): Removal => ({
  kind: 'cut',
  name: rest.slice(0, 200).trim().replace(/\s+/g, ' '),
})

/** The words of a tag that is none, such as `<p and q>`, or of the attributes of one. */
function wordsOf(
  name: string,
  attributes: sanitize.Attributes,
  allowedTags: readonly string[],
): string[] {
  const words = Object.keys(attributes).filter(
    (key) => attributes[key] === '' && /^\w/.test(key) && !isBareAttribute(key),
  )
  const isElement =
    [...allowedTags, ...removedElements].includes(name) ||
    isKnownTag(name) ||
    officeElement.test(name) ||
    Object.values(attributes).some((value) => value !== '')
  return isElement ? words.filter((word) => !emptyAttribute.test(word)) : [name, ...words]
}

/** Elements of Microsoft Office in HTML, such as `o:p`. */
const officeElement = /^(?:[ovwmx]|st1):[a-z]/

/** Attributes that programs write without a value. */
const emptyAttribute =
  /^(?:align|alt|border|class|color|dir|height|href|id|lang|rel|sizes|src|srcset|start|style|target|title|valign|width|(?:aria|data)-.*)$/

const isRelative = (address: string) => address !== '' && !/^[a-z][a-z\d+.-]*:/i.test(address)

/** Something that is removed from a text before it is stored, and that somebody may miss. */
export interface Removal {
  /** A word that only looks like a part of a tag, an element with its text, an embedded element, an image, an address without a scheme, or the rest of a text that is too long. */
  kind: 'word' | 'text' | 'embedded' | 'image' | 'address' | 'cut'
  name: string
}

/** One sentence for each kind of thing that is removed from a field before it is stored. */
export function removalWarnings(field: string, removals: readonly Removal[]): string[] {
  const remedy = field === 'body' ? 'send body_format "text"' : 'write &lt; for <'
  const sentences: Record<Removal['kind'], (names: string) => string> = {
    word: (names) =>
      `${field} contains words that look like HTML and were removed: ${names}; ${remedy} to keep them`,
    text: (names) => `${field} contains text in ${names}, which was removed`,
    embedded: (names) =>
      `${field} contains ${names}, which emails do not show, so it was removed; write a link instead`,
    image: (names) =>
      `${field} contains images that emails do not show, so they were removed: ${names}; upload them with POST /images, and send HTML with their addresses`,
    address: (names) =>
      `${field} contains addresses that lead nowhere in an email and were removed: ${names}; start them with https://`,
    cut: (names) =>
      `${field} has more than 64 KiB as HTML and was cut before: ${names}; send the rest as another block`,
  }
  const byKind = Map.groupBy(removals, ({ kind }) => kind)
  return [...byKind].map(([kind, those]) => {
    const names = [...new Set(those.map(({ name }) => name.slice(0, 40)))].slice(0, 5)
    const isElement = kind === 'text' || kind === 'embedded'
    return sentences[kind](names.map((name) => (isElement ? `<${name}>` : name)).join(', '))
  })
}

/** The removed elements whose text somebody would miss; without an end tag, the rest is their text. */
export function elementsLostWithText(html: string): string[] {
  const found = new Set(
    [...html.matchAll(/<([a-z]+)\b[^<>]*>[^<]*[^<\s]/gi)].map(([, name = '']) =>
      name.toLowerCase(),
    ),
  )
  const isMissed = (name: string) =>
    shownElements.includes(name) || !html.toLowerCase().includes(`</${name}`)
  return removedElements.filter((name) => found.has(name) && isMissed(name))
}
