import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Newsletter } from '../../../contract/newsletters/newsletter.ts'
import { listEditors } from '../../../features/block-comments/index.ts'
import {
  approveNewsletter,
  askForApproval,
  canAskForApproval,
  getApproval,
  getNewsletter,
  previewNewsletter,
} from '../../../features/newsletters/index.ts'
import { utcDay } from '../../../lib/clock.ts'
import { inTransaction, type ReadContext } from '../../../lib/context.ts'
import { RelativeTime } from '../../components/dates/relative-time.tsx'
import { Icon } from '../../components/icon.tsx'
import { notificationEmail } from '../../emails/notification-emails.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../http/context.ts'
import { once } from '../../http/forms/once.ts'
import { can } from '../../roles.ts'
import { requireSamePreview, ShownPreview, shownPreview } from './preview-hash.tsx'
import { redirectWithResult } from './redirect-with-result.ts'

interface ApprovalActionsProps {
  context: MemberRequest
  newsletter: Newsletter
  /** What is here when no approval is missing. */
  otherwise: JSX.Element
}

/** Whether a second person has to approve a newsletter before it is sent, and nobody has. */
export async function lacksApproval(ctx: ReadContext, { id }: Newsletter): Promise<boolean> {
  const { required, approved_by } = await getApproval(ctx, id)
  return required && approved_by === null
}

/**
 * The button that approves a newsletter, where a second person has to. A newsletter can be ready without
 * an approval, when the team did not require one at that time.
 */
export async function ApprovalActions({ context, newsletter, otherwise }: ApprovalActionsProps) {
  const { t, ctx, member } = context
  const { id, status } = newsletter
  const approval = await getApproval(ctx, id)
  const { required, changed_by, approved_by, requested_by } = approval
  if (!required || (status === 'ready' && approved_by !== null)) return otherwise
  const path = `/newsletters/${id}/approval`
  // `ApprovalState` says what is missing.
  if (newsletter.blocks.length === 0) return ''
  if (changed_by === member.id) {
    if (!canAskForApproval(approval, context.deps.now())) return ''
    return (
      <button
        type="submit"
        id="ask-approval"
        class={requested_by === null ? 'primary' : ''}
        formaction={`${path}/ask`}
        title={t('approval.another_person_approves')}
      >
        <Icon name="mail" />
        {requested_by === null ? t('approval.ask') : t('approval.ask_again')}
      </button>
    )
  }
  const day = utcDay(context.deps.now())
  const { html } = await previewNewsletter(ctx, { id, day })
  return (
    <>
      <ShownPreview html={html} day={day} />
      <button type="submit" id="approve" class="primary" formaction={path}>
        <Icon name="check" />
        {t('approval.approve')}
      </button>
    </>
  )
}

/** Who approved a newsletter, or what is missing for that; nothing where no approval is required. */
export async function ApprovalState({
  context,
  newsletter,
}: {
  context: MemberRequest
  newsletter: Newsletter
}) {
  const { t, ctx, member, userLocale, deps } = context
  const approval = await getApproval(ctx, newsletter.id)
  const { required, approved_by_name, requested_by, requested_by_name, requested_at } = approval
  const canEdit = can(member.role, 'editor')
  if (approved_by_name !== null) {
    return <span safe>{t('approval.approved_by', { name: approved_by_name })}</span>
  }
  if (!required || newsletter.status === 'sent') return ''
  if (canEdit && newsletter.blocks.length === 0) return <span>{t('approval.needs_a_block')}</span>
  if (!requested_at || requested_by_name === null) return <span>{t('approval.not_approved')}</span>
  const time = () => <RelativeTime userLocale={userLocale} at={requested_at} now={deps.now()} />
  return (
    <span>
      {requested_by === member.id
        ? t.html('approval.you_asked', { time })
        : t.html('approval.name_asked', { name: requested_by_name, time })}{' '}
      {canEdit
        ? t(
            approval.changed_by === member.id
              ? 'approval.next_another_editor'
              : 'approval.next_you',
          )
        : ''}
    </span>
  )
}

const ApproveForm = v.object({
  version: v.fallback(v.pipe(v.string(), v.transform(Number), v.integer()), 0),
  ...shownPreview,
})

async function approve(context: FormRequest<typeof ApproveForm>): Promise<Response> {
  const { ctx, member, body, params, t } = context
  const id = params['id'] ?? ''
  return await redirectWithResult(context, `/newsletters/${id}`, async () => {
    await inTransaction(ctx, async (txCtx) => {
      await approveNewsletter(txCtx, { id, memberId: member.id, expected: [body.version] })
      await requireSamePreview(txCtx, id, body)
    })
    return { text: t('approval.is_approved'), path: `/newsletters/${id}/export` }
  })
}

async function ask(context: MemberRequest): Promise<Response> {
  const { ctx, deps, member, params, t } = context
  const id = params['id'] ?? ''
  const path = `/newsletters/${id}`
  const { title } = await getNewsletter(ctx, id)
  const others = (await listEditors(ctx)).filter((editor) => editor.id !== member.id)
  return await redirectWithResult(context, path, async () => {
    const count = await askForApproval(
      { ...ctx, queue: deps.queue },
      {
        id,
        memberId: member.id,
        memberIds: others.map((editor) => editor.id),
        compose: (recipient) =>
          notificationEmail(recipient, deps.baseUrl, (texts) => ({
            subject: texts('email.approval_subject', { title }),
            lines: [texts('email.approval', { name: member.name, title })],
            button: texts('email.open_the_newsletter'),
            link: `${deps.baseUrl}${path}`,
          })),
      },
    )
    return { text: t('approval.is_asked', { count }) }
  })
}

/** Routes of the approval of a newsletter. */
export const approvalPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/newsletters/:id/approval', once(approve), { role: 'editor', body: ApproveForm })
    .post('/newsletters/:id/approval/ask', once(ask), { role: 'editor' })
