import type { OutgoingMail } from '../lib/mail.ts'

/** The mail with the link for a new password. */
export function resetEmail(
  id: string,
  baseUrl: string,
  person: { email: string },
  token: string,
): OutgoingMail {
  return linkEmail(id, {
    teamId: null,
    recipient: person.email,
    subject: 'A new password for Tidings',
    lines: [
      'Somebody, we hope you, asked for a new password for Tidings.',
      'Choose it here within an hour:',
    ],
    link: `${baseUrl}/reset/${token}`,
    end: 'If it was not you, there is nothing to do: your password stays as it is.',
  })
}

/** The mail that invites somebody to a team. */
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
      `${inviter} invites you to the team ${team} on Tidings, where its newsletter is made.`,
      'Join here within a week:',
    ],
    link,
    end: 'If you do not know what this is about, there is nothing to do.',
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
