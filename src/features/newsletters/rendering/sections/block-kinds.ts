import { startsWithTitle } from '../../../../lib/text/starts-with-title.ts'
import type { RenderableBlock } from '../renderable.ts'
import { textBody } from '../text-body.ts'

/** The maximum length of the text of a person in the grid, in characters. */
const maxPersonCharacters = 500

/**
 * True when a block is shown in the grid of people: a new starter with a short text and a small
 * image.
 */
export function isPerson(block: RenderableBlock): boolean {
  if (block.block_type !== 'new_starter') return false
  if (block.image_url !== null && block.image_size !== 'small' && block.image_size !== null)
    return false
  return textBody(block).length <= maxPersonCharacters
}

const praise =
  /^\W*(?:kudos|thank|danke|merci|bravo|gracias|obrigad|grazie|bedankt|dzięk|tack|props|shout|ありがとう)/iu

/** True when a block is shown as a pull quote: a short text of thanks without an image. */
export function isQuote(block: RenderableBlock): boolean {
  return (
    block.block_type === 'wins_milestones' &&
    block.image_url === null &&
    praise.test(block.title) &&
    startsWithTitle(block.title, textBody(block))
  )
}

const greetings = new Set(['Welcome', 'Meet', 'Hello', 'Say', 'Please', 'To'])

/** The initials of the first name in a text: "Grace Hopper joins as Rear Admiral" has GH. */
export function initialsOf(text: string): string {
  const words: string[] = text.match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? []
  const names: string[] = words.filter((word) => /^\p{Lu}/u.test(word) && !greetings.has(word))
  const first = names[0] ?? words[0] ?? ''
  const next = words[words.indexOf(first) + 1]
  const last = next !== undefined && names.includes(next) ? next : ''
  return [first, last].map((name) => [...name].slice(0, 1).join('').toUpperCase()).join('')
}
