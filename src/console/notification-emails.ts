import type { EmailText, Recipient } from '../features/notifications/index.ts'
import { preferredLanguage, type Translate, translateTo } from './locales/index.ts'

/** The texts in the language of a recipient. */
const textsFor = ({ language, team_language }: Recipient): Translate =>
  translateTo(preferredLanguage([language, team_language]))

interface NotificationText {
  subject: string
  /** What happened, and what somebody wrote. */
  lines: readonly string[]
  link: string
}

/** An email with a link and how to switch such emails off. */
export function notificationEmail(
  recipient: Recipient,
  baseUrl: string,
  write: (t: Translate) => NotificationText,
): EmailText {
  const t = textsFor(recipient)
  const { subject, lines, link } = write(t)
  const settings = `${baseUrl}/account#notifications`
  const end = t('email.choose_your_notifications', { settings })
  const paragraph = (text: string) => `<p>${Bun.escapeHTML(text).replaceAll('\n', '<br />')}</p>`
  const anchor = (url: string) => `<a href="${Bun.escapeHTML(url)}">${Bun.escapeHTML(url)}</a>`
  return {
    subject: subject.slice(0, 250),
    text: `${[...lines, link, end].join('\n\n')}\n`,
    html: [...lines.map(paragraph), `<p>${anchor(link)}</p>`, paragraph(end)].join('\n'),
  }
}
