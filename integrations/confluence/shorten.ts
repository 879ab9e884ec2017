import { Parser } from 'htmlparser2'
import { maxBodyBytes } from '../../src/contract/text.ts'

/** Elements after which a text can end. After a heading, it would end with the heading. */
const blocks = new Set(
  'blockquote div dl hr li ol p pre section table tbody tr ul article main'.split(' '),
)
/** Elements of which a part can be left out. */
const containers = new Set(
  'article blockquote div li main ol section table tbody td th tr ul'.split(' '),
)
/** What is deeper stays out: the time of the parser grows with the depth. */
const maxDepth = 200
/** The end tags of all open elements. */
const maxEndTagBytes = 16 * maxDepth

/** The whole elements at the start of HTML with at most `maxCharacters` of text; empty when the first is longer. */
export function shortenHtml(html: string, maxCharacters: number): string {
  const open: string[] = []
  let [characters, bytes, counted, end] = [0, 0, 0, 0]
  let endTags: string[] = []
  const parser = new Parser({
    ontext(text) {
      characters += text.replace(/\s+/g, ' ').length
      if (characters > maxCharacters) parser.pause()
    },
    onopentag(name) {
      open.push(name)
      if (open.length > maxDepth) parser.pause()
    },
    onclosetag(name, isImplied) {
      open.pop()
      const canEnd = !isImplied && blocks.has(name) && open.every((one) => containers.has(one))
      if (!canEnd || characters === 0) return
      bytes += Buffer.byteLength(html.slice(counted, parser.endIndex + 1))
      counted = parser.endIndex + 1
      if (bytes > maxBodyBytes - maxEndTagBytes) return parser.pause()
      end = counted
      endTags = open.toReversed()
    },
  })
  parser.write(html)
  parser.end()
  return html.slice(0, end) + endTags.map((name) => `</${name}>`).join('')
}
