import * as v from 'valibot'
import { described } from '../described.ts'
import { emailAddress, emptyAsNull, text } from '../text.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
const maxRecipients = 50
const maxNoteBytes = 4 * 1024

/** A newsletter as an email. */
export const Preview = v.strictObject({
  html: described(v.string(), 'The HTML part of the email.', '<!doctype html><html lang="en">…'),
  text: described(v.string(), 'The text part of the email.', 'November news\n…'),
  subject_line: described(
    v.nullable(v.string()),
    'The subject of the email.',
    'What November brought',
  ),
  warnings: described(
    v.array(v.string()),
    'What to look at before it is sent, one sentence each.',
    ['“Version 2 is out” is still a draft.'],
  ),
})
export type Preview = v.InferOutput<typeof Preview>

/** Who gets a preview, and a note to them. */
export const PreviewRequest = v.strictObject({
  recipients: v.optional(
    described(
      v.pipe(
        v.array(emailAddress, 'must be a list of email addresses'),
        v.minLength(1, `must have 1 to ${maxRecipients} addresses`),
        v.maxLength(maxRecipients, `must have 1 to ${maxRecipients} addresses`),
      ),
      'The addresses of members of the team; without them, the person who created the key.',
      ['ada@example.com'],
    ),
  ),
  note: v.optional(
    described(
      emptyAsNull(text(maxNoteBytes)),
      'A text above the newsletter, at most 4 KiB of UTF-8.',
      'Please check item two.',
    ),
  ),
})
export type PreviewRequest = v.InferOutput<typeof PreviewRequest>

/** A preview that is queued. */
export const PreviewReceipt = v.strictObject({
  id: described(v.string(), 'The id of the preview.', 'pv_019a9f40b7e17a11c2d3e4f5a6b7c8d9'),
  recipients: described(v.array(v.string()), 'The addresses that get it.', ['ada@example.com']),
  queued_at: described(instant, 'When it was queued.', '2026-11-20T09:32:00.000Z'),
})
export type PreviewReceipt = v.InferOutput<typeof PreviewReceipt>
