import { deleteNewsletter, getNewsletter } from '../../../features/newsletters/index.ts'
import { withDeadline } from '../../../lib/db.ts'
import { Form } from '../../components/form.tsx'
import { layout } from '../../components/screen.tsx'
import { action, NoFields, page, type Route } from '../../page.ts'
import { NewsletterHead } from './head.tsx'
import { redirectWithResult } from './redirect-with-result.ts'

const ask = page('/newsletters/:id/delete', 'editor', async (visit) => {
  const { newsletter } = await getNewsletter(visit.deps.sql, visit.teamId, visit.params['id'] ?? '')
  return await layout(
    visit,
    { title: `Delete: ${newsletter.title}`, section: 'newsletters' },
    <>
      <NewsletterHead visit={visit} newsletter={newsletter} at="compose" />
      <div class="narrow">
        {newsletter.status === 'sent' ? (
          <p>It was sent, and what was sent is kept.</p>
        ) : (
          <>
            <p>Its words and its order are gone then. The blocks in it stay in the library.</p>
            <div class="row">
              <Form visit={visit} action={`/newsletters/${newsletter.id}/delete`}>
                <button type="submit" class="primary danger">
                  Delete the newsletter
                </button>
              </Form>
              <a href={`/newsletters/${newsletter.id}`}>Keep it</a>
            </div>
          </>
        )}
      </div>
    </>,
  )
})

const remove = action('/newsletters/:id/delete', 'editor', {
  form: NoFields,
  async handle(visit) {
    const { sql } = visit.deps
    const id = visit.params['id'] ?? ''
    return await redirectWithResult(visit, `/newsletters/${id}`, async () => {
      await withDeadline(sql.begin((tx) => deleteNewsletter(tx, visit.teamId, id, null)))
      return { text: 'Deleted. Its blocks are still in the library.', path: '/newsletters' }
    })
  },
})

/** How a newsletter that was not sent goes away. */
export const deleteNewsletterRoutes: readonly Route[] = [ask, remove]
