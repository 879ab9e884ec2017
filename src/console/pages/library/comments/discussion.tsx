import type { ContentBlock } from '../../../../contract/blocks/content-block.ts'
import {
  type Comment,
  type Editor,
  listComments,
  listDiscussionSummaries,
  listEditors,
  splitMentions,
} from '../../../../features/block-comments/index.ts'
import { attribute } from '../../../attribute.ts'
import { RelativeTime } from '../../../components/dates/relative-time.tsx'
import { Form } from '../../../components/form/form.tsx'
import { Icon } from '../../../components/icon.tsx'
import type { MemberRequest } from '../../../http/context.ts'
import { can } from '../../../roles.ts'

/** Who works on a block, and what editors have written about it. */
export async function Discussion({
  context,
  block,
}: {
  context: MemberRequest
  block: ContentBlock
}) {
  const { t, ctx } = context
  const [comments, editors, summaries] = await Promise.all([
    listComments(ctx, block.id),
    listEditors(ctx),
    listDiscussionSummaries(ctx, [block.id]),
  ])
  return (
    <section aria-labelledby="comments" class="discussion">
      <AssigneeForm
        context={context}
        blockId={block.id}
        editors={editors}
        assignee={summaries.get(block.id)?.assignee_id ?? ''}
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

/** The form for a new comment. */
export function NewComment({ context, blockId, editors, text = '' }: NewCommentProps) {
  const { t } = context
  const names = JSON.stringify(editors.slice(0, maxNames).map(({ name }) => name))
  return (
    <Form context={context} action={`/library/${blockId}/comments`} class="comment-form" draft>
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

/** A list of more names is hard to use. */
const maxNames = 200

interface AssigneeFormProps {
  context: MemberRequest
  blockId: string
  editors: readonly Editor[]
  assignee: string
}

function AssigneeForm({ context, blockId, editors, assignee }: AssigneeFormProps) {
  const { t, member } = context
  const shown = editors.filter(({ id }, at) => at < maxNames || id === assignee || id === member.id)
  return (
    <Form context={context} action={`/library/${blockId}/assignee`} class="row assignee-form">
      <label for="assignee">{t('comments.assigned_to')}</label>
      <select id="assignee" name="member">
        <option value="">{t('comments.nobody')}</option>
        {shown.map(({ id, name }) => (
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
  const { t, userLocale, deps, member } = context
  const { id, block_id, member_id, author, body, mentioned, created_at } = comment
  const people = editors.filter((editor) => mentioned.includes(editor.id))
  const mayDelete = member_id === member.id || can(member.role, 'admin')
  return (
    <li class="comment">
      <p class="comment-header">
        <b safe>{author}</b>{' '}
        <span class="muted">
          <RelativeTime userLocale={userLocale} at={created_at} now={deps.now()} />
        </span>
      </p>
      {mayDelete ? (
        <Form context={context} action={`/library/${block_id}/comments/${id}/delete`}>
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
