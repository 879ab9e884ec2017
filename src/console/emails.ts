import type { OutgoingMail } from '../lib/mail.ts'

/** The email with the link for a new password. */
export function resetEmail(
  id: string,
  baseUrl: string,
  person: { email: string },
  token: string,
): OutgoingMail {
  return linkEmail(id, {
    teamId: null,
    recipient: person.email,
    subject: 'Reset your Tidings password',
    lines: [
      'Someone asked for a new password for your Tidings account.',
      'Choose the new password here. The link works once, for one hour:',
    ],
    link: `${baseUrl}/reset/${token}`,
    end: 'If this was not you, ignore this email. Your password does not change.',
  })
}

/** The email that invites a person to a team. */
export function invitationEmail(
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
    subject: `${team} invites you to Tidings`,
    lines: [
      `${inviter} invites you to the team ${team} on Tidings, where it creates its newsletter.`,
      'Join here. The link works once, for one week:',
    ],
    link,
    end: 'If you do not know this team, ignore this email.',
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
