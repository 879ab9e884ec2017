import type { OutgoingMail } from '../../lib/mail/mail.ts'
import type { Translate } from '../locales/index.ts'
import { composeEmail } from './email-layout.ts'

/** The email with the link for a new password. */
export function resetEmail(
  t: Translate,
  { id, baseUrl, email, token }: Record<'id' | 'baseUrl' | 'email' | 'token', string>,
): OutgoingMail {
  const content = {
    subject: t('email.reset_your_tidings_password'),
    lines: [t('email.someone_asked_for_a_new_password'), t('email.link_works_for_an_hour')],
    button: t('recovery.choose_a_new_password'),
    link: `${baseUrl}/reset/${token}`,
  }
  const end = { text: t('email.if_this_was_not_you') }
  return { id, teamId: null, recipient: email, ...composeEmail(t, content, end) }
}

/** The email that invites a person to a team. */
export function invitationEmail(
  t: Translate,
  id: string,
  link: string,
  {
    teamId,
    email,
    team,
    inviter,
  }: { teamId: string; email: string; team: string; inviter: string },
): OutgoingMail {
  const content = {
    subject: t('email.team_invites_you', { team }),
    lines: [t('email.inviter_invites_you', { inviter, team }), t('email.link_works_for_a_week')],
    button: t('email.join', { team }),
    link,
  }
  const end = { text: t('email.if_you_do_not_know_this_team') }
  return { id, teamId, recipient: email, ...composeEmail(t, content, end) }
}
