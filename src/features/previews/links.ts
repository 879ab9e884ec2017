import {
  inTransaction,
  type LinkContext,
  memberIdOf,
  type ServiceContext,
  systemContext,
} from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { hashLinkToken, newLinkToken } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/index.ts'
import { getNewsletter, previewNewsletter } from '../newsletters/index.ts'
import {
  deletePreviewLinksBefore,
  insertPreviewLink,
  selectPreviewLink,
  updateOpenedLink,
} from './links-sql.ts'

/** How long a link to a preview works. */
export const previewLinkHours = 24

const oldestValid = (now: Date) => new Date(now.getTime() - previewLinkHours * 3_600_000)

/**
 * The path of a page that shows a newsletter as it is, without a sign-in, for a day, while the
 * member who makes it is in the team. Only a hash of its token is stored. Throws `not_found`.
 */
export async function createPreviewLink(ctx: LinkContext, newsletterId: string): Promise<string> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const { title } = await getNewsletter(txCtx, newsletterId)
    const token = newLinkToken()
    const made = { memberId: memberIdOf(txCtx), createdAt: txCtx.now() }
    const link = { tokenHash: hashLinkToken(token), newsletterId, ...made }
    const slug = await insertPreviewLink(txCtx.sql, teamId, link)
    await recordAudit(txCtx, 'preview_link_created', title)
    return `/preview/${slug}/${token}`
  })
}

interface OpenedPreview {
  newsletterId: string
  teamName: string
  subject: string
  html: string
  isSent: boolean
}

/** The newsletter of a link as an email. Throws `not_found` for every link that is not valid. */
export async function openPreviewLink(
  ctx: ServiceContext & Pick<LinkContext, 'baseUrl'>,
  { slug, token }: { slug: string; token: string },
): Promise<OpenedPreview> {
  const now = ctx.now()
  const hash = hashLinkToken(token)
  const link = await withDeadline(selectPreviewLink(ctx.sql, slug, hash, oldestValid(now)))
  if (!link) throw notFound('This preview')
  if (!link.isOpened) await withDeadline(updateOpenedLink(ctx.sql, link.teamId, hash, now))
  const { teamName, newsletterId } = link
  const { subject, html, isSent } = await previewNewsletter(systemContext(ctx, link.teamId), {
    id: newsletterId,
  })
  return { newsletterId, teamName, subject, html, isSent }
}

/** Deletes the links of all teams that no longer work. */
export async function purgePreviewLinks({ sql, now }: ServiceContext): Promise<void> {
  await deletePreviewLinksBefore(sql, oldestValid(now()))
}
