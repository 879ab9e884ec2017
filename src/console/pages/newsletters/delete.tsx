import { Elysia } from 'elysia'
import { deleteNewsletter, getNewsletter } from '../../../features/newsletters/index.ts'
import { Form } from '../../components/form/form.tsx'
import { layout } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { NewsletterHeader } from './header.tsx'
import { redirectWithResult } from './redirect-with-result.ts'

async function ask(context: MemberRequest): Promise<Response> {
  const { newsletter } = await getNewsletter(context.ctx, context.params['id'] ?? '')
  return await layout(
    context,
    { title: `Delete: ${newsletter.title}`, section: 'newsletters' },
    <>
      <NewsletterHeader context={context} newsletter={newsletter} page="compose" />
      <div class="narrow">
        {newsletter.status === 'sent' ? (
          <p>A newsletter that was sent cannot be deleted.</p>
        ) : (
          <>
            <p>
              This deletes its texts and the order of its blocks. The blocks stay in the library.
            </p>
            <div class="row">
              <Form context={context} action={`/newsletters/${newsletter.id}/delete`}>
                <button type="submit" class="primary danger">
                  Delete the newsletter
                </button>
              </Form>
              <a href={`/newsletters/${newsletter.id}`}>Cancel</a>
            </div>
          </>
        )}
      </div>
    </>,
  )
}

async function remove(context: MemberRequest): Promise<Response> {
  const id = context.params['id'] ?? ''
  return await redirectWithResult(context, `/newsletters/${id}`, async () => {
    await deleteNewsletter(context.ctx, { id, expected: null })
    return { text: 'Deleted. Its blocks are still in the library.', path: '/newsletters' }
  })
}

/** Routes that delete a newsletter. */
export const deleteNewsletterPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/delete', ask, { role: 'editor' })
    .post('/newsletters/:id/delete', remove, { role: 'editor' })
