import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { ContentBlock } from '../../../contract/content-block.ts'
import {
  addComment,
  assignBlock,
  type Comment,
  deleteComment,
  type Editor,
  listBlockNotes,
  listComments,
  listEditors,
  splitMentions,
} from '../../../features/block-comments/index.ts'
import { attribute } from '../../attribute.ts'
import { ErrorSummary, Form } from '../../components/form/form.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { textOf } from '../../http/form-data.ts'
import { redirect, success } from '../../http/responses.ts'
import { notificationEmail } from '../../notification-emails.ts'
import { can } from '../../roles.ts'
import { blockRows, isInPlace, reviewedRow } from './in-place.tsx'
import { loadBlock } from './load-block.ts'

const pathOf = (id: string) => `/library/${id}`

/** Who works on a block, and what editors have written about it. */
export async function Discussion({
  context,
  block,
}: {
  context: MemberRequest
  block: ContentBlock
}) {
  const { t, ctx } = context
  const [comments, editors, notes] = await Promise.all([
    listComments(ctx, block.id),
    listEditors(ctx),
    listBlockNotes(ctx, [block.id]),
  ])
  return (
    <section aria-labelledby="comments" class="discussion">
      <AssigneeForm
        context={context}
        blockId={block.id}
        editors={editors}
        assignee={notes.get(block.id)?.assignee_id ?? ''}
      />
      <h2 id="comments">{t('comments.title')}</h2>
      <ol class="comments">
        {comments.map((comment) => (
          <CommentItem context={context} comment={comment} editors={editors} />
        ))}
      </ol>
      <NewComment context={context} blockId={block.id} editors={editors} />
    </section>
  )
}

interface NewCommentProps {
  context: MemberRequest
  blockId: string
  editors: readonly Editor[]
  /** What was typed before. */
  text?: string
}

function NewComment({ context, blockId, editors, text = '' }: NewCommentProps) {
  const { t } = context
  const names = JSON.stringify(editors.map(({ name }) => name))
  return (
    <Form context={context} action={`${pathOf(blockId)}/comments`} class="comment-form" draft>
      <label class="visually-hidden" for="comment">
        {t('comments.comment')}
      </label>
      <textarea
        id="comment"
        name="body"
        rows="2"
        required
        maxlength="5000"
        placeholder={t('comments.hint')}
        data-people={attribute(names)}
        safe
      >
        {text}
      </textarea>
      <button type="submit" class="small">
        {t('comments.add')}
      </button>
    </Form>
  )
}

interface AssigneeFormProps {
  context: MemberRequest
  blockId: string
  editors: readonly Editor[]
  assignee: string
}

function AssigneeForm({ context, blockId, editors, assignee }: AssigneeFormProps) {
  const { t } = context
  return (
    <Form context={context} action={`${pathOf(blockId)}/assignee`} class="row assignee-form">
      <label for="assignee">{t('comments.assigned_to')}</label>
      <select id="assignee" name="member">
        <option value="">{t('comments.nobody')}</option>
        {editors.map(({ id, name }) => (
          <option value={id} selected={id === assignee} safe>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" class="small">
        {t('comments.assign')}
      </button>
    </Form>
  )
}

interface CommentItemProps {
  context: MemberRequest
  comment: Comment
  editors: readonly Editor[]
}

function CommentItem({ context, comment, editors }: CommentItemProps) {
  const { t, reader, deps, member } = context
  const { id, block_id, member_id, author, body, mentioned, created_at } = comment
  const people = editors.filter((editor) => mentioned.includes(editor.id))
  const mayDelete = member_id === member.id || can(member.role, 'admin')
  return (
    <li class="comment">
      <p class="comment-header">
        <b safe>{author}</b>{' '}
        <span class="muted">
          <RelativeTime reader={reader} at={created_at} now={deps.now()} />
        </span>
      </p>
      {mayDelete ? (
        <Form context={context} action={`${pathOf(block_id)}/comments/${id}/delete`}>
          <button
            type="submit"
            class="ghost icon-button"
            aria-label={attribute(t('comments.delete', { name: author }))}
          >
            <Icon name="close" />
          </button>
        </Form>
      ) : null}
      <p class="comment-text">
        {splitMentions(body, people).map((part) =>
          part.id === null ? (
            <span safe>{part.text}</span>
          ) : (
            <span class="mention" safe>
              {part.text}
            </span>
          ),
        )}
      </p>
    </li>
  )
}

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
          lines: [texts('email.mentions_you', { name: member.name, title }), form.body],
          link: `${deps.baseUrl}${pathOf(blockId)}#comments`,
        })),
    },
  )
  return await respond(context, t('comments.is_added'))
}

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
      <PageHeader title={block.title}>
        <a class="button" href={pathOf(block.id)}>
          {t('common.back')}
        </a>
      </PageHeader>
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
    .post('/library/:id/comments', comment, {
      role: 'editor',
      body: CommentForm,
      renderWithErrors: showInvalid,
    })
    .post('/library/:id/comments/:commentId/delete', removeComment, { role: 'editor' })
    .post('/library/:id/assignee', assign, {
      role: 'editor',
      body: AssigneeInput,
      renderWithErrors: showInvalid,
    })
