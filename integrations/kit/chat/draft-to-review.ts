import { oneLine } from '../text/fit-length.ts'
import { htmlToText } from '../text/html.ts'
import type { DraftToReview } from './messages/messaging.ts'

const excerptCharacters = 300

/** A draft, as the host stores it. */
interface StoredDraft {
  block_id: string
  /** Null when the block was deleted. */
  version: number | null
  title: string
  body: string | null
  body_format: 'html' | 'text' | null
  author: string | null
  from_private: boolean
  decision: 'approved' | 'declined' | null
  decided_by: string | null
}

/** A draft for people of a chat. Content from a private conversation is left out. */
export function draftToReview(baseUrl: string, draft: StoredDraft): DraftToReview {
  const { block_id: id, version, title, author, from_private, decision, decided_by: by } = draft
  return {
    id,
    version: version ?? 0,
    content: from_private ? null : { title, author, excerpt: excerptOf(draft) },
    url: `${baseUrl}/library/${id}`,
    state: decision === null ? { kind: 'waiting' } : { kind: decision, by },
  }
}

function excerptOf({ body, body_format, title }: StoredDraft): string {
  const whole = (body_format === 'html' ? htmlToText(body ?? '') : body) ?? ''
  const text = oneLine(whole, excerptCharacters)
  return text === oneLine(title) ? '' : text
}
