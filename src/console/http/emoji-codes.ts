import { looksLikeHtml } from '../../lib/html/looks-like-html.ts'
import type { ConsoleDeps } from './context.ts'

/** A title and a text of a form, with emoji for their emoji codes. */
export function replaceEmojiCodesInForm<Input extends { title: string; body: string }>(
  { typedText }: Pick<ConsoleDeps, 'typedText'>,
  input: Input,
): Input {
  const { withEmoji, htmlWithEmoji } = typedText
  const { title, body } = input
  const convert = looksLikeHtml(body) ? htmlWithEmoji : withEmoji
  return { ...input, title: withEmoji(title), body: convert(body) }
}
