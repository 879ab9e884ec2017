import { Elysia } from 'elysia'
import { listDeclined } from '../../../features/content-blocks/index.ts'
import { attribute } from '../../attribute.ts'
import { actorName } from '../../components/actor-name.ts'
import { RelativeTime } from '../../components/dates/relative-time.tsx'
import { Form } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { Table } from '../../components/table.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'

/** The drafts that were declined in the last day, each with a button that restores it. */
async function show(context: MemberRequest): Promise<Response> {
  const { ctx, deps, userLocale, t } = context
  const blocks = await listDeclined(ctx)
  const title = t('library.recently_declined')
  const columns = [t('common.title'), t('library.declined_by'), t('audit.when')]
  return await layout(
    context,
    { title, section: 'library' },
    <>
      <PageHeader
        title={title}
        lead={t('library.declined_for_a_day')}
        parent={{ href: '/library', title: t('common.library') }}
      />
      {blocks.length === 0 ? (
        <p class="empty">{t('library.nothing_declined')}</p>
      ) : (
        <Table columns={columns} actions={t('library.restore')}>
          {blocks.map((block) => (
            <tr>
              <td safe>{block.title}</td>
              <td safe>{actorName(t, block.deleted_by ?? '')}</td>
              <td>
                <RelativeTime userLocale={userLocale} at={block.deleted_at} now={deps.now()} />
              </td>
              <td class="actions">
                <Form context={context} action={`/library/${block.id}/restore`}>
                  <button
                    type="submit"
                    class="small"
                    aria-label={t('library.restore_title', { title: attribute(block.title) })}
                  >
                    {t('library.restore')}
                  </button>
                </Form>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>,
  )
}

/** The route of the blocks that were declined in the last day. */
export const declinedPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/library/declined', show, { role: 'editor' })
