import type { DraftRequest } from '../../contract/blocks/ai-draft.ts'
import type { ContentBlock } from '../../contract/blocks/content-block.ts'

// The body of a block may be 64 KiB; a newsletter item is shorter.
const maxBodyCharacters = 12_000

/** A block whose text is to be improved. */
export type SuggestionSource = Pick<ContentBlock, 'title' | 'body' | 'block_type'>

/** A better text, as the model has written it. */
export interface Suggestion {
  title: string
  body: string
}

/** The request for a draft that has the text of a block as its material. */
export const suggestionRequest = ({ title, body, block_type }: SuggestionSource): DraftRequest => ({
  // Addresses in HTML have escaped ampersands; a link counts only when its address is in the material.
  context: `${title}\n\n${body.replaceAll('&amp;', '&').slice(0, maxBodyCharacters)}`,
  block_type,
})
