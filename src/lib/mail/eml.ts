import MailComposer from 'nodemailer/lib/mail-composer'
import { attachmentsOf, headerText, type InlineImage } from './mail.ts'

/** An email that a person sends from their own email program. */
export interface MailDraft {
  from: { name: string; address: string }
  subject: string
  html: string
  text: string
  images: readonly InlineImage[]
}

/**
 * An email as a file (RFC 5322) with an HTML and a text part. `X-Unsent` makes Outlook open it as a
 * draft. It contains no recipients, because the person who sends it chooses them.
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
