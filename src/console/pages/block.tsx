import { getBlock } from '../../features/blocks/index.ts'
import { cleanHtml } from '../../lib/html.ts'
import { page, type Route } from '../page.ts'
import { PageHead, screen } from '../parts/screen.tsx'

/** One block as it lies in the library: where a chat's "it has landed" leads. */
const show = page('/library/:id', 'viewer', async (visit) => {
  const block = await getBlock(visit.deps.sql, visit.teamId, visit.params['id'] ?? '')
  const { title, status, source, body, body_format } = block
  const html = body_format === 'html' ? cleanHtml(body) : plain(body)
  return await screen(
    visit,
    { title, section: 'library' },
    <>
      <PageHead title={title} lead={`${status}, from ${block.origin?.provider ?? source}`} />
      <article>{html as 'safe'}</article>
    </>,
  )
})

const plain = (text: string) => `<p>${Bun.escapeHTML(text).replaceAll('\n', '<br />')}</p>`

export const blockRoutes: readonly Route[] = [show]
