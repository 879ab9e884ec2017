import type { Language } from '../../src/contract/vocabulary.ts'
import type { BlockKind, PageBlock } from './blocks.ts'
import { plainText, type RichText, richTextHtml } from './text.ts'

const cutMark = '<p>…</p>'

const lists: Partial<Record<BlockKind, 'ul' | 'ol'>> = { bullet: 'ul', to_do: 'ul', number: 'ol' }

/**
 * Blocks as HTML of at most `maxBytes`. It ends with "…" when blocks are missing (`isCut`, or too
 * long). Empty without text.
 */
export function blocksHtml(
  blocks: readonly PageBlock[],
  { isCut, maxBytes, language }: { isCut: boolean; maxBytes: number; language: Language },
): string {
  const kept: string[] = []
  let room = maxBytes - Buffer.byteLength(cutMark)
  let openList = ''
  let cut = isCut
  for (const block of blocks) {
    const element = blockHtml(block, language)
    if (element === '') continue
    const list = lists[block.kind] ?? ''
    const html = [
      list === openList ? '' : closing(openList) + opening(list),
      list === '' ? element : `<li>${element}</li>`,
    ].join('')
    // The closing tag of an open list has to fit, too.
    room -= Buffer.byteLength(html) + 1
    if (room < '</ul>'.length) {
      cut = true
      break
    }
    kept.push(html)
    openList = list
  }
  if (kept.length === 0) return ''
  return [kept.join('\n') + closing(openList), ...(cut ? [cutMark] : [])].join('\n')
}

const opening = (list: string) => (list === '' ? '' : `<${list}>`)
const closing = (list: string) => (list === '' ? '' : `</${list}>`)

/** A block with its child blocks; empty when it contains no text. */
function blockHtml(block: PageBlock, language: Language): string {
  if (block.kind === 'table') return tableHtml(block, language)
  const text = isEmpty(block.text) ? '' : richTextHtml(block.text, language)
  const children = blocksHtml(block.children, {
    isCut: false,
    maxBytes: Number.POSITIVE_INFINITY,
    language,
  })
  if (text === '' && children === '') return ''
  return elements[block.kind]({ text, children, checked: block.checked })
}

interface Parts {
  text: string
  children: string
  checked: boolean
}

const below = (element: string, { text, children }: Parts) =>
  [text && `<${element}>${text}</${element}>`, children].filter((part) => part !== '').join('\n')

const elements: Record<Exclude<BlockKind, 'table'>, (parts: Parts) => string> = {
  paragraph: (parts) => below('p', parts),
  heading: (parts) => below('h3', parts),
  quote: (parts) =>
    `<blockquote>${parts.children === '' ? parts.text : below('p', parts)}</blockquote>`,
  bullet: ({ text, children }) => text + children,
  number: ({ text, children }) => text + children,
  to_do: ({ text, children, checked }) => `${checked ? '✓' : '☐'} ${text}${children}`,
  // A newsletter has no toggles, so the text inside is shown.
  toggle: ({ text, children }) =>
    below('p', { text: text && bold(text), children, checked: false }),
  code: ({ text }) => `<pre><code>${text.replaceAll('<br>', '\n')}</code></pre>`,
  row: () => '',
  container: ({ children }) => children,
}

const bold = (html: string) => `<strong>${html}</strong>`

function tableHtml({ children, hasHeader }: PageBlock, language: Language): string {
  const rows = children.filter(({ cells }) => cells.some((cell) => !isEmpty(cell)))
  if (rows.length === 0) return ''
  const html = rows.map(({ cells }, index) => {
    const tag = hasHeader && index === 0 ? 'th' : 'td'
    const inner = cells.map((cell) => `<${tag}>${richTextHtml(cell, language)}</${tag}>`)
    return `<tr>${inner.join('')}</tr>`
  })
  return `<table>${html.join('\n')}</table>`
}

const isEmpty = (text: RichText) => plainText(text, 'en').trim() === ''
