import { Elysia } from 'elysia'
import { deleteNewsletter, getNewsletter } from '../../../features/newsletters/index.ts'
import { Form } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { once } from '../../http/forms/once.ts'
import { redirectWithResult } from './redirect-with-result.ts'

async function ask(context: MemberRequest): Promise<Response> {
  const { t } = context
  const newsletter = await getNewsletter(context.ctx, context.params['id'] ?? '')
  return await layout(
    context,
    { title: t('newsletters.delete', { title: newsletter.title }), section: 'newsletters' },
    <>
      <PageHeader
        title={t('newsletters.delete', { title: newsletter.title })}
        parent={{ href: `/newsletters/${newsletter.id}`, title: newsletter.title }}
      />
      <div class="narrow">
        {newsletter.status === 'sent' ? (
          <p>{t('newsletters.a_newsletter_that_was_sent')}</p>
        ) : (
          <>
            <p>{t('newsletters.this_deletes_its_texts')}</p>
            <div class="row">
              <Form context={context} action={`/newsletters/${newsletter.id}/delete`}>
                <button type="submit" class="primary danger">
                  {t('newsletters.delete_the_newsletter')}
                </button>
              </Form>
              <a href={`/newsletters/${newsletter.id}`}>{t('common.cancel')}</a>
            </div>
          </>
        )}
      </div>
    </>,
  )
}

async function remove(context: MemberRequest): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  return await redirectWithResult(context, `/newsletters/${id}`, async () => {
    await deleteNewsletter(context.ctx, { id, expected: null })
    return { text: t('newsletters.deleted_its_blocks_are_still'), path: '/newsletters' }
  })
}

/** Routes that delete a newsletter. */
export const deleteNewsletterPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/delete', ask, { role: 'editor' })
    .post('/newsletters/:id/delete', once(remove), { role: 'editor' })
