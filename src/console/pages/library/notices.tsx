import type { ContentBlock } from '../../../contract/blocks/content-block.ts'
import { findTrashed, getBlock } from '../../../features/content-blocks/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { attribute } from '../../attribute.ts'
import { Form } from '../../components/form/form.tsx'
import type { MemberRequest } from '../../http/context.ts'
import { can } from '../../roles.ts'

/** The block that was just deleted, with an undo button. */
export async function UndoNotice({ context }: { context: MemberRequest }) {
  const { t } = context
  const id = context.url.searchParams.get('deleted')
  if (!id || !can(context.member.role, 'editor')) return ''
  const block = await findTrashed(context.ctx, id)
  if (block === null) return ''
  const { title, isDeclined } = block
  return (
    <div class="notice row" role="status">
      <span safe>{t(isDeclined ? 'library.is_declined' : 'library.is_deleted', { title })}</span>
      <Form context={context} action={`/library/${encodeURIComponent(id)}/restore`}>
        <button type="submit" class="small">
          {t('common.undo')}
        </button>
      </Form>
    </div>
  )
}

/** The block that was just reviewed, with an undo button. */
export async function ReviewNotice({ context, back }: { context: MemberRequest; back: string }) {
  const { t } = context
  const id = context.url.searchParams.get('reviewed')
  if (!id || !can(context.member.role, 'editor')) return ''
  const block = await findReviewed(context, id)
  if (block === null || block.status === 'used') return ''
  const { title, status } = block
  return (
    <div class="notice success row" role="status">
      <span safe>
        {t(status === 'ready' ? 'library.is_approved' : 'library.is_a_draft_again', { title })}
      </span>
      <Form context={context} action={`/library/${encodeURIComponent(id)}/status`}>
        <input type="hidden" name="back" value={attribute(back)} />
        <input type="hidden" name="undo" value="1" />
        <button
          type="submit"
          class="small"
          name="to"
          value={status === 'ready' ? 'draft' : 'ready'}
        >
          {t('common.undo')}
        </button>
      </Form>
    </div>
  )
}

/** The block with this id, or null when it was deleted since its review. */
async function findReviewed({ ctx }: MemberRequest, id: string): Promise<ContentBlock | null> {
  try {
    return await getBlock(ctx, id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
