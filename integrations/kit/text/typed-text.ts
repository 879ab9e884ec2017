import { renderMarkdown } from '../markdown/markdown.ts'
import { mrkdwnToMarkdown } from '../markdown/mrkdwn-markdown.ts'
import { replaceEmojiCodes } from './emoji-codes.ts'
import { normalizeText } from './plain-text.ts'

/** One line that a person has typed, with emoji for its emoji codes. */
export function withEmoji(line: string): string {
  const changed = replaceEmojiCodes(line).trim()
  return changed === '' ? line : changed
}

const doubleStars = /\*\*(?=[^\s*])([^*\n]*[^\s*])\*\*/g
// Elements other than paragraphs and line breaks.
const formatting = /<(?!\/?p>|br>)/

/**
 * Text that a person has typed without an editor, as the chats read such text: lists, links, bold and
 * italic words become HTML, and emoji codes become emoji. Text without formatting stays plain text.
 */
export function formatTypedText(body: string): { body: string; body_format: 'html' | 'text' } {
  const text = normalizeText(body).replace(doubleStars, '*$1*')
  const html = renderMarkdown(mrkdwnToMarkdown(text), { escapeHtml: true })
  return formatting.test(html)
    ? { body: html, body_format: 'html' }
    : { body: withEmoji(body), body_format: 'text' }
}

/** HTML with emoji for the emoji codes in its words; code keeps them. */
export function htmlWithEmoji(html: string): string {
  let codeElements = 0
  let words = ''
  return new HTMLRewriter()
    .on('pre, code', {
      element(element) {
        codeElements += 1
        element.onEndTag(() => {
          codeElements -= 1
        })
      },
    })
    .onDocument({
      text(chunk) {
        if (codeElements > 0) return
        words += chunk.text
        if (!chunk.lastInTextNode) return void chunk.remove()
        chunk.replace(replaceEmojiCodes(words), { html: true })
        words = ''
      },
    })
    .transform(html)
}
