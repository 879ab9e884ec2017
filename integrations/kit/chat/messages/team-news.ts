/** The newsletter that is sent next. */
export interface NextNewsletter {
  title: string
  /** Such as `2026-11-27`; null when it has no date. */
  date: string | null
  /** How many blocks it has. */
  blocks: number
}

/** What became of an item that a person sent. */
export interface Submission {
  /** Null once it is deleted and cannot be restored any more: its text is not stored then. */
  title: string | null
  state: 'waiting' | 'approved' | 'in_newsletter' | 'published' | 'not_used'
  /** The page that shows what becomes of it, without an account. */
  url: string
}
