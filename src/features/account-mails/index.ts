import type { Logger } from 'pino'
import * as v from 'valibot'
import type { Now } from '../../lib/clock.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import type { OutgoingMail } from '../../lib/mail.ts'
import type { MailQueue, QueuedMail } from '../../lib/mailer.ts'
import type { Vault } from '../../lib/secrets.ts'
import { recordAudit } from '../audit/index.ts'
import {
  claimSealedMails,
  deleteExpiredMails,
  deleteSealedMail,
  insertSealedMail,
  postponeSealedMail,
  type SealedMailRow,
} from './sql.ts'

/** What is sealed of a mail; the rest a sender needs to find its row. */
const Content = v.object({
  recipient: v.string(),
  subject: v.string(),
  html: v.string(),
  text: v.string(),
})

const placeOf = (id: string) => `account_mails/${id}`

/**
 * Queues a mail with a link for one person, so that it survives a mail server that is away and a
 * process that ends. It is sealed, since with its link somebody gets in, and tried until `expiresAt`,
 * when the link ends.
 */
export async function queueAccountMail(
  sql: Sql,
  vault: Vault,
  now: Now,
  { id, teamId, recipient, subject, html, text }: OutgoingMail,
  expiresAt: Date,
): Promise<void> {
  const sealed = vault.seal(placeOf(id), { recipient, subject, html, text })
  const times = { at: now(), expiresAt }
  await withDeadline(insertSealedMail(sql, { id, team_id: teamId, sealed }, times))
}

/**
 * Invitations and links for a new password, for the mailer. A row goes when its mail has left; of an
 * invitation that a mail server refuses for good, the team's audit log tells.
 */
export function accountMails(sql: Sql, vault: Vault, log: Logger, now: Now): MailQueue {
  const open = async (row: SealedMailRow): Promise<QueuedMail[]> => {
    const known = { id: row.id, teamId: row.team_id, attempts: row.attempts }
    try {
      return [{ ...known, ...v.parse(Content, vault.open(placeOf(row.id), row.sealed)) }]
    } catch (error) {
      log.error({ err: error, mailId: row.id }, 'a queued mail cannot be opened, and is dropped')
      await withDeadline(deleteSealedMail(sql, known))
      return []
    }
  }
  return {
    async claim(at, abandonedAt, limit) {
      const rows = await withDeadline(claimSealedMails(sql, at, abandonedAt, limit))
      return (await Promise.all(rows.map(open))).flat()
    },
    noteSent: (mail) => withDeadline(deleteSealedMail(sql, mail)),
    async noteFailed(mail, _reason, dueAt) {
      if (dueAt) return await withDeadline(postponeSealedMail(sql, mail, dueAt))
      await withDeadline(deleteSealedMail(sql, mail))
      if (mail.teamId === null) return
      const actor = { teamId: mail.teamId, name: 'Tidings', address: null }
      await recordAudit(sql, now, actor, 'invitation_failed', mail.recipient)
    },
  }
}

/** Forgets mails that could not be sent while their links worked. */
export async function forgetExpiredMails(sql: Sql, now: Now): Promise<void> {
  await withDeadline(deleteExpiredMails(sql, now()))
}
