import { Elysia } from 'elysia'
import { maxTitleCharacters } from '../../../contract/text.ts'
import { duplicateNewsletter, getNewsletter } from '../../../features/newsletters/index.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { once } from '../../http/forms/once.ts'
import { redirect, success } from '../../http/responses.ts'

async function duplicate(context: MemberRequest): Promise<Response> {
  const { t, ctx, params } = context
  const id = params['id'] ?? ''
  const original = await getNewsletter(ctx, id)
  const named = t('newsletters.copy_of', { title: original.title })
  const title = [...named].length > maxTitleCharacters ? original.title : named
  const copy = await duplicateNewsletter(ctx, { id, changes: { title }, withBlocks: true })
  const left = original.blocks.length - copy.blocks.length
  const message =
    left === 0
      ? t('newsletters.this_is_the_copy')
      : t('newsletters.this_is_the_copy_without', { left })
  return redirect(context, `/newsletters/${copy.id}`, success(message))
}

/** The route that duplicates a newsletter. */
export const duplicatePages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/newsletters/:id/duplicate', once(duplicate), { role: 'editor' })
