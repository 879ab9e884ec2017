import nodemailer from 'nodemailer'
import { dayMs, type Now } from '../clock.ts'
import type { Sql } from '../database/db.ts'
import { codeOf } from '../errors.ts'
import { measure, timed } from '../measurements.ts'
import { FinalError } from '../queue/index.ts'

/** An image that is part of an email. Its HTML refers to it as `cid:<contentId>`. */
export interface InlineImage {
  contentId: string
  name: string
  bytes: Uint8Array
  contentType: string
}

/** The attachments of nodemailer for images; their content is bytes, never a path or an address. */
export const attachmentsOf = (images: readonly InlineImage[] = []) =>
  images.map(({ contentId, name, bytes, contentType }) => ({
    cid: contentId,
    filename: name,
    content: Buffer.from(bytes),
    contentType,
    contentDisposition: 'inline' as const,
  }))

/** One email to one person. */
export interface OutgoingMail {
  /** The same for every attempt; it becomes the Message-ID. */
  id: string
  /** The team of the email, or null. */
  teamId: string | null
  /** An address without a name. */
  recipient: string
  subject: string
  html: string
  text: string
  images?: readonly InlineImage[]
}

/** An email could not be completed, and no mail server was asked. The message says why, for people. */
export class IncompleteEmailError extends Error {}

/** Sends emails. `send` resolves when the mail server has accepted the email. */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>
}

/** The sender of all emails. */
interface MailSender {
  name: string
  address: string
}

// A server that does not answer for this long is unreachable. RFC 5321, section 4.5.3.2, allows
// minutes.
const connectTimeoutMs = 10_000
const silenceTimeoutMs = 30_000

/**
 * Sends by SMTP to a `smtp://` or `smtps://` URL, which can contain user and password. All parts of
 * an email are converted to text, because nodemailer reads files from objects and several
 * recipients from one string.
 */
export function smtpTransport(url: string, from: MailSender): MailTransport {
  const smtp = connectTo(url)
  const [, domain = 'localhost'] = from.address.split('@')
  return {
    async send(mail) {
      const recipient = bareAddress(mail.recipient)
      const content = {
        messageId: `<${mail.id}@${domain}>`,
        envelope: { from: from.address, to: [recipient] },
        from,
        to: [{ name: '', address: recipient }],
        subject: headerText(mail.subject),
        html: String(mail.html),
        text: String(mail.text),
        attachments: attachmentsOf(mail.images),
        headers: { 'Auto-Submitted': 'auto-generated' },
      }
      await timed(
        () => smtp.sendMail(content),
        (_, isSent) => measure('emailAttempt', { outcome: isSent ? 'sent' : 'failed' }),
      )
    },
  }
}

const connectTo = (url: string) =>
  nodemailer.createTransport({
    url,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

/**
 * Connects to the mail server, encrypts and signs in as for an email, and sends nothing. Returns
 * null, or what is wrong without the server's own text.
 */
export async function mailServerProblem(url: string): Promise<string | null> {
  const smtp = connectTo(url)
  try {
    await smtp.verify()
    return null
  } catch (error) {
    return sendFailure(error).message
  } finally {
    smtp.close()
  }
}

function bareAddress(address: string): string {
  if (/^[^\s<>@,;:"()]+@[^\s<>@,;:"()]+$/.test(address)) return address
  throw new Error('The stored recipient is not one email address.')
}

/**
 * The text of a header in one line. Email programs decode an encoded word (RFC 2047), so a text
 * that contains one is encoded: it is then shown as it was written.
 */
export function headerText(text: string): string {
  const line = String(text).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  if (!line.includes('=?')) return line
  // Ten characters have at most 40 bytes, and an encoded word at most 75 characters.
  const parts = [...line].map((_, at, all) => (at % 10 ? '' : all.slice(at, at + 10).join('')))
  return parts
    .filter((part) => part !== '')
    .map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`)
    .join(' ')
}

/**
 * The error of an attempt for people. It does not contain the server's own text, which can repeat
 * addresses. It is a `FinalError` when the server has refused the email permanently (RFC 5321,
 * 5yz), and an {@link IncompleteEmailError} as it is.
 */
export function sendFailure(error: unknown): Error {
  if (error instanceof IncompleteEmailError) return error
  const code = codeOf(error) || 'unknown error'
  const response =
    error instanceof Error && 'responseCode' in error ? error.responseCode : undefined
  if (response === undefined) {
    return new Error(unreachable(code, error), { cause: error })
  }
  if (code === 'EAUTH') {
    const message = `The mail server refused the user or the password of SMTP_URL (${Number(response)}).`
    return new Error(message, { cause: error })
  }
  const message = `The mail server refused the email (${Number(response)}).`
  const isAboutEmail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return isAboutEmail && Number(response) >= 500
    ? new FinalError(message, { cause: error })
    : new Error(message, { cause: error })
}

/** Why there was no answer. nodemailer has few codes, and the message of the network names the address. */
function unreachable(code: string, error: unknown): string {
  const cause = error instanceof Error ? error.message : ''
  if (code === 'ETLS' || /ssl|certificate/i.test(cause)) {
    return 'No encrypted connection to the mail server is possible: check its port and its certificate.'
  }
  if (code === 'EPROTOCOL') return 'The server in SMTP_URL does not answer as a mail server does.'
  const reasons: Record<string, string> = {
    EDNS: ': its host name is not known',
    ETIMEDOUT: ': it does not answer',
  }
  const why = cause.includes('ECONNREFUSED') ? ': it refuses connections' : reasons[code]
  return `The mail server could not be reached${why ?? ` (${code})`}.`
}

const capturedForMs = 30 * dayMs

/** Stores emails in the table `captured_emails` for 30 days, when no mail server is configured. */
export function capturingTransport(sql: Sql, now: Now): MailTransport {
  return {
    async send({ id, teamId, recipient, subject, html, text }) {
      const at = now()
      await sql`
        insert into captured_emails (id, team_id, recipient, subject, html, text, created_at)
        values (${id}, ${teamId}, ${recipient}, ${subject}, ${html}, ${text}, ${at})
        on conflict (id) do nothing`
      measure('emailAttempt', { outcome: 'captured' })
      await sql`delete from captured_emails where created_at < ${new Date(at.getTime() - capturedForMs)}`
    },
  }
}
