import type { OutgoingMail } from '../lib/mail/mail.ts'
import type { Translate } from './locales/index.ts'

/** The email with the link for a new password. */
export function resetEmail(
  t: Translate,
  { id, baseUrl, email, token }: Record<'id' | 'baseUrl' | 'email' | 'token', string>,
): OutgoingMail {
  return linkEmail(id, {
    teamId: null,
    recipient: email,
    subject: t('email.reset_your_tidings_password'),
    lines: [t('email.someone_asked_for_a_new_password'), t('email.choose_the_new_password_here')],
    link: `${baseUrl}/reset/${token}`,
    end: t('email.if_this_was_not_you'),
  })
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
  return linkEmail(id, {
    teamId,
    recipient: email,
    subject: t('email.team_invites_you', { team }),
    lines: [t('email.inviter_invites_you', { inviter, team }), t('email.join_here')],
    link,
    end: t('email.if_you_do_not_know_this_team'),
  })
}

interface LinkEmail {
  teamId: string | null
  recipient: string
  subject: string
  lines: readonly string[]
  link: string
  end: string
}

function linkEmail(
  id: string,
  { teamId, recipient, subject, lines, link, end }: LinkEmail,
): OutgoingMail {
  const paragraph = (text: string) => `<p>${Bun.escapeHTML(text)}</p>`
  const anchor = `<p><a href="${Bun.escapeHTML(link)}">${Bun.escapeHTML(link)}</a></p>`
  return {
    id,
    teamId,
    recipient,
    subject,
    text: `${[...lines, link, end].join('\n\n')}\n`,
    html: [...lines.map(paragraph), anchor, paragraph(end)].join('\n'),
  }
}
