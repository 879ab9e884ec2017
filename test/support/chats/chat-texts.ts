import { htmlToText } from '../../../integrations/kit/text/html.ts'

/** What somebody may write in a chat to do harm or by mere accident, and the words that readers see. */
export const hostileMessages: [name: string, written: string, body: string][] = [
  ['a script', 'Hi <script>alert(1)</script>', 'Hi <script>alert(1)</script>'],
  ['emoji and right-to-left', '🎉👩‍👩‍👧 שלום עולם', '🎉👩‍👩‍👧 שלום עולם'],
  ['NUL and other control characters', 'a\0b\u001b[2J\r\nc', 'ab[2J\nc'],
  ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ['40,000 characters', 'x'.repeat(40_000), 'x'.repeat(40_000)],
]

const comparable = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** All words of an item as readers see them, in lower case: a title is not shown above the same words. */
export function wordsOf({ title, body }: { title: string; body: string }): string {
  const text = htmlToText(body)
  const isBrief = comparable(text).startsWith(comparable(title))
  return (isBrief ? text : `${title}\n${text}`).toLowerCase()
}
