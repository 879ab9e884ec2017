import { type DefaultTreeAdapterTypes, parse } from 'parse5'

type Node = DefaultTreeAdapterTypes.ChildNode
type Element = DefaultTreeAdapterTypes.Element

const running = new Set(
  'script style iframe object embed base meta link form template portal'.split(' '),
)
const addresses = new Set(
  'href src action formaction data poster xlink:href srcset background'.split(' '),
)
const isMarked = (text: string) => text.includes('pwned')

/**
 * What a vector of `xss-vectors.ts` would do on a page: run a script, load a file, send a form. None
 * when the page shows it as text or has removed it.
 */
export function activeContentOf(html: string): string[] {
  return childrenOf(parse(html)).flatMap(activeParts)
}

function activeParts(node: Node): string[] {
  if (!('attrs' in node)) return []
  const own = [
    ...(running.has(node.tagName) && isMarked(textOf(node)) ? [`<${node.tagName}>`] : []),
    ...node.attrs.flatMap(({ name, value }) => activeAttribute(node, name, value)),
  ]
  return [...own, ...childrenOf(node).flatMap(activeParts)]
}

function activeAttribute({ tagName }: Element, name: string, value: string): string[] {
  // A page inside the page, such as a preview.
  if (name === 'srcdoc') return activeContentOf(value)
  if (!isMarked(value)) return []
  const address = value.replaceAll(/[\p{Cc} ]/gu, '').toLowerCase()
  const isActive =
    /^(?:on|hx-|data-hx-|style$)/.test(name) ||
    (addresses.has(name) && !isHarmless(tagName, address)) ||
    (running.has(tagName) && name !== 'title' && !(name === 'src' && isOwnFrame(tagName, address)))
  return isActive ? [`<${tagName} ${name}="${value}">`] : []
}

/** A frame with a page of the console, which is checked for itself. */
const isOwnFrame = (tagName: string, address: string): boolean =>
  tagName === 'iframe' && /^\/[^/\\]/.test(address)

/** A link is followed only by a person, and an image runs nothing. */
const isHarmless = (tagName: string, address: string): boolean =>
  ['a', 'img'].includes(tagName)
    ? /^(?:https?:\/\/|mailto:|tel:|[/?][^/\\])/.test(address)
    : /^[/?][^/\\]/.test(address)

const childrenOf = (node: object): Node[] => {
  const inside = 'content' in node && typeof node.content === 'object' ? node.content : node
  return inside && 'childNodes' in inside && Array.isArray(inside.childNodes)
    ? inside.childNodes
    : []
}

const textOf = (element: Element): string =>
  element.childNodes.map((node) => ('value' in node ? node.value : '')).join('')
