import * as v from 'valibot'
import { emailAddress, text } from './text.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
const maxRecipients = 50
const maxNoteBytes = 4 * 1024

/** A newsletter as a mail. */
export const Preview = v.strictObject({
  html: v.string(),
  text: v.string(),
  subject_line: v.nullable(v.string()),
  warnings: v.array(v.string()),
})
export type Preview = v.InferOutput<typeof Preview>

/** Who is to get a preview, and a word to them. */
export const PreviewRequest = v.strictObject({
  recipients: v.optional(
    v.pipe(
      v.array(emailAddress, 'must be a list of e-mail addresses'),
      v.minLength(1, `must have 1 to ${maxRecipients} addresses`),
      v.maxLength(maxRecipients, `must have 1 to ${maxRecipients} addresses`),
    ),
  ),
  note: v.optional(text(maxNoteBytes)),
})
export type PreviewRequest = v.InferOutput<typeof PreviewRequest>

/** A preview on its way. */
export const PreviewReceipt = v.strictObject({
  id: v.string(),
  recipients: v.array(v.string()),
  queued_at: instant,
})
export type PreviewReceipt = v.InferOutput<typeof PreviewReceipt>
