import type { EmailText, Recipient } from '../../features/notifications/index.ts'
import { preferredLanguage, type Translate, translateTo } from '../locales/index.ts'
import { composeEmail, type EmailContent } from './email-layout.ts'

/** The texts in the language of a recipient. */
const textsFor = ({ language, team_language }: Recipient): Translate =>
  translateTo(preferredLanguage([language, team_language]))

/** An email with a link and how to switch such emails off. */
export function notificationEmail(
  recipient: Recipient,
  baseUrl: string,
  write: (t: Translate) => EmailContent,
): EmailText {
  const t = textsFor(recipient)
  const end = {
    text: t('email.choose_your_notifications'),
    url: `${baseUrl}/account#notifications`,
  }
  return composeEmail(t, write(t), end)
}
