import MailComposer from 'nodemailer/lib/mail-composer'
import { attachmentsOf, headerText, type InlineImage } from './mail.ts'

/** A mail that somebody is going to send from their own mail program. */
export interface MailDraft {
  from: { name: string; address: string }
  subject: string
  html: string
  text: string
  images: readonly InlineImage[]
}

/**
 * A mail as a file (RFC 5322) with an HTML and a text part. `X-Unsent` makes Outlook open it as a draft;
 * it names no recipients, since who sends it chooses them.
 */
export async function draftFile({
  from,
  subject,
  html,
  text,
  images,
}: MailDraft): Promise<Uint8Array> {
  const composer = new MailComposer({
    from: { name: headerText(from.name), address: from.address },
    subject: headerText(subject),
    html: String(html),
    text: String(text),
    attachments: attachmentsOf(images),
    headers: { 'X-Unsent': '1' },
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return await composer.compile().build()
}
