import { Elysia } from 'elysia'
import * as v from 'valibot'
import {
  addComment,
  assignBlock,
  deleteComment,
  listEditors,
} from '../../../../features/block-comments/index.ts'
import { ErrorSummary } from '../../../components/form/form.tsx'
import { layout, PageHeader } from '../../../components/layout/layout.tsx'
import { notificationEmail } from '../../../emails/notification-emails.ts'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { textOf } from '../../../http/forms/form-data.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect, success } from '../../../http/responses.ts'
import { can } from '../../../roles.ts'
import { blockRows, isInPlace, reviewedRow } from '../edit/in-place.tsx'
import { loadBlock } from '../load-block.ts'
import { NewComment } from './discussion.tsx'

const pathOf = (id: string) => `/library/${id}`

const CommentForm = v.object({
  body: v.pipe(v.string(), v.trim(), v.nonEmpty('is required'), v.maxLength(5000)),
})

async function comment(context: FormRequest<typeof CommentForm>): Promise<Response> {
  const { ctx, deps, member, body: form, params, t } = context
  const blockId = params['id'] ?? ''
  await addComment(
    { ...ctx, queue: deps.queue },
    {
      blockId,
      memberId: member.id,
      body: form.body,
      compose: (recipient, { title }) =>
        notificationEmail(recipient, deps.baseUrl, (texts) => ({
          subject: texts('email.mentions_you_subject', { name: member.name, title }),
          lines: [texts('email.mentions_you', { name: member.name, title })],
          quote: form.body,
          button: texts('email.open_the_comment'),
          link: `${deps.baseUrl}${pathOf(blockId)}#comments`,
        })),
    },
  )
  return await respond(context, t('comments.is_added'))
}

/** The form was sent again after its comment was added. */
const showAdded = (context: MemberRequest) => respond(context, context.t('comments.is_added'))

async function removeComment(context: MemberRequest): Promise<Response> {
  const { ctx, member, params, t } = context
  const memberId = can(member.role, 'admin') ? null : member.id
  await deleteComment(ctx, {
    id: params['commentId'] ?? '',
    blockId: params['id'] ?? '',
    memberId,
  })
  return await respond(context, t('comments.is_deleted'))
}

const AssigneeInput = v.object({ member: v.string() })

async function assign(context: FormRequest<typeof AssigneeInput>): Promise<Response> {
  const { ctx, deps, member, body, params, t } = context
  const blockId = params['id'] ?? ''
  await assignBlock(
    { ...ctx, queue: deps.queue },
    {
      blockId,
      memberId: body.member || null,
      byMemberId: member.id,
      compose: (recipient, { title }) =>
        notificationEmail(recipient, deps.baseUrl, (texts) => ({
          subject: texts('email.assigned_to_you_subject', { title }),
          lines: [texts('email.assigned_to_you', { name: member.name, title })],
          button: texts('email.open_the_block'),
          link: `${deps.baseUrl}${pathOf(blockId)}`,
        })),
    },
  )
  return await respond(
    context,
    body.member ? t('comments.is_assigned') : t('comments.is_unassigned'),
  )
}

/** The row of the block for the library, or the page of the block with a message. */
async function respond(context: MemberRequest, message: string): Promise<Response> {
  const block = await loadBlock(context)
  if (isInPlace(context)) return await reviewedRow(context, await blockRows(context, [block]))
  return redirect(context, `${pathOf(block.id)}#comments`, success(message))
}

/** The comment as it was typed, with what is wrong. */
async function showInvalid(context: MemberRequest, submitted: SubmittedForm): Promise<Response> {
  const { t, ctx, values } = context
  const block = await loadBlock(context)
  const editors = await listEditors(ctx)
  return await layout(
    context,
    { title: block.title, section: 'library', status: 422 },
    <>
      <PageHeader
        title={t('comments.title')}
        parent={{ href: pathOf(block.id), title: block.title }}
      />
      <ErrorSummary submitted={submitted} />
      <NewComment
        context={context}
        blockId={block.id}
        editors={editors}
        text={textOf(values, 'body')}
      />
    </>,
  )
}

/** Routes of the comments on a block and of its assignee. */
export const commentPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/library/:id/comments', once(comment, showAdded), {
      role: 'editor',
      body: CommentForm,
      renderWithErrors: showInvalid,
    })
    .post('/library/:id/comments/:commentId/delete', once(removeComment), { role: 'editor' })
    .post('/library/:id/assignee', assign, {
      role: 'editor',
      body: AssigneeInput,
      renderWithErrors: showInvalid,
    })
