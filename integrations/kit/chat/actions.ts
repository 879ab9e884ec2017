/** What the bot replies to a person who has written to it or used a button. `replyText` has the texts. */
export type ReplyTopic =
  /** To a word, as after `/tidings`. */
  | 'next'
  | 'mine'
  | 'link'
  | 'status'
  /** What one can write to the bot, or the button of the form. */
  | 'help'
  | 'too_long'
  | 'form'
  /** What did not work, and what to do. */
  | 'form_not_opened'
  | 'not_opened'
  | 'failed'
  | 'not_public'
  | 'undo_not_yours'
  /** Why a draft does not open in a form. */
  | 'draft_missing'
  | 'draft_viewer'
  | 'draft_not_linked'

/** Somebody used a button of a message, or waits for a reply. */
export type ChatAction =
  /** `version` is the one that the person has read; null for a button that does not name it. */
  | {
      type: 'review'
      blockId: string
      version: number | null
      decision: 'approved' | 'declined'
    }
  /** `body` is HTML; null when the text stays as it is. `version` is the one that the person has read. */
  | { type: 'edit'; blockId: string; version: number; title: string; body: string | null }
  | { type: 'messages'; wanted: boolean }
  /** Stops the questions in the channel of a question, or starts them again. */
  | { type: 'prompts'; promptId: string; muted: boolean }
  | { type: 'reminders'; wanted: boolean }
  /** A reply of the bot. Stored events have it as `answer`. */
  | { type: 'answer'; about: ReplyTopic }

/** What became of an action, for the person who used the button. */
export type ActionResult =
  | { outcome: 'decided'; decision: 'approved' | 'declined' }
  /** Somebody has decided differently, or the same, before. `by` is null when that was in Tidings. */
  | {
      outcome: 'decided_before'
      /** Null for content from a private conversation. */
      title: string | null
      wanted: 'approved' | 'declined'
      decision: 'approved' | 'declined'
      by: string | null
    }
  /**
   * The draft is not the one that the person has read, so nothing was decided. `title` is null for content from a
   * private conversation.
   */
  | { outcome: 'changed'; title: string | null }
  | { outcome: 'in_newsletter'; reason: string }
  | { outcome: 'missing' }
  /**
   * The person is not a member who may do this. `isViewer`: a member without that permission. `linkUrl`: the page on
   * which the person says which member they are; nobody else may see it.
   */
  | { outcome: 'not_allowed'; isViewer: boolean; linkUrl: string | null }
  /** The same for a change to a draft: what the person wrote was not saved. */
  | { outcome: 'edit_not_allowed'; isViewer: boolean; linkUrl: string | null }
  | { outcome: 'edited' }
  /**
   * Somebody has changed the draft since the person has read it; `by` is null when that was in Tidings. `title` is null
   * for content from a private conversation.
   */
  | { outcome: 'edit_conflict'; title: string | null; by: string | null }
  /** The draft was reviewed in the meantime. */
  | { outcome: 'edit_reviewed'; title: string | null }
  /** The draft was declined or deleted in the meantime. */
  | { outcome: 'edit_missing' }
  /** `isOffForTeam`: nobody gets such messages, because an admin has switched them off. */
  | { outcome: 'messages'; wanted: boolean; isOffForTeam: boolean }
  | { outcome: 'prompts'; promptId: string; muted: boolean }
  | { outcome: 'reminders'; wanted: boolean }
  | { outcome: 'answer'; about: ReplyTopic }
