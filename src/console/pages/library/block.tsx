import { Elysia } from 'elysia'
import type { ContentBlock } from '../../../contract/blocks/content-block.ts'
import {
  getBlock,
  listBlockUses,
  restoreBlock,
  trashBlock,
} from '../../../features/content-blocks/index.ts'
import { previewBlock } from '../../../features/newsletters/index.ts'
import { attribute } from '../../attribute.ts'
import { hasRemoteImages } from '../../components/block.tsx'
import { Form } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { findUploadedImage } from '../../components/uploaded-image.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { emailFrame, frameSandbox } from '../../http/email-frame.ts'
import { once } from '../../http/forms/once.ts'
import { redirect, showsImages, success } from '../../http/responses.ts'
import { can } from '../../roles.ts'
import { newsletterStatusBadges } from '../newsletters/status-badges.ts'
import { OriginalText } from './ai-drafts/original-text.tsx'
import { SuggestionLink } from './ai-drafts/suggestion.tsx'
import { BlockDetails } from './block-details.tsx'
import { DeletedRow } from './block-row.tsx'
import { Discussion } from './comments/discussion.tsx'
import { blockRows, isInPlace, reviewedRow } from './edit/in-place.tsx'
import { loadBlock } from './load-block.ts'

/** The page of a block. The library shows its `#block` beside the list. */
async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const block = await loadBlock(context)
  const uses = await listBlockUses(context.ctx, block.id)
  const { title } = block
  const images = showsImages(context)
  const uploaded = await findUploadedImage(context, block)
  return await layout(
    context,
    { title, section: 'library', scripts: ['block-frame.js', 'mentions.js'] },
    <>
      <PageHeader title={title} parent={{ href: '/library', title: t('common.library') }} />
      <div id="block" class="block" data-block={block.id}>
        {can(context.member.role, 'editor') ? <Actions context={context} block={block} /> : null}
        <h2 class="block-heading" safe>
          {title}
        </h2>
        <div>
          <BlockFrame context={context} block={block} />
          {!images && hasRemoteImages(block, uploaded) ? (
            <p>
              <a class="button small" href={`/library/${block.id}?images=shown`}>
                {t('common.show_images')}
              </a>{' '}
              <span class="muted">{t('common.loads_them_from_other_websites')}</span>
            </p>
          ) : null}
          {can(context.member.role, 'editor') ? (
            <>
              <Discussion context={context} block={block} />
              <OriginalText context={context} block={block} />
            </>
          ) : null}
        </div>
        <div>
          <BlockDetails context={context} block={block} />
          {uses.length > 0 ? (
            <section aria-labelledby="uses">
              <h2 id="uses">{t('library.in_newsletters')}</h2>
              <ul>
                {uses.map((newsletter) => (
                  <li>
                    <a href={`/newsletters/${newsletter.id}`} safe>
                      {newsletter.title}
                    </a>{' '}
                    <span class="muted">{t(newsletterStatusBadges[newsletter.status].title)}</span>
                  </li>
                ))}
              </ul>
            </section>
          ) : null}
        </div>
      </div>
    </>,
  )
}

function Actions({ context, block }: { context: MemberRequest; block: ContentBlock }) {
  const { id, status } = block
  const { t } = context
  const nextStatus = status === 'ready' ? 'draft' : 'ready'
  const labels = {
    draft: t('library.back_to_draft'),
    ready: status === 'used' ? t('library.use_again') : t('common.approve'),
  }
  return (
    <div class="row block-actions">
      <Form context={context} action={`/library/${id}/status`}>
        <input type="hidden" name="to" value={nextStatus} />
        <input type="hidden" name="back" value={`/library/${id}`} />
        <input type="hidden" name="version" value={String(block.version)} />
        <button type="submit" class={nextStatus === 'ready' ? 'primary' : undefined}>
          {labels[nextStatus]}
        </button>
      </Form>
      <a class="button" href={`/library/${id}/edit`} data-edit>
        {t('common.edit')}
      </a>
      <SuggestionLink context={context} block={block} />
      <Form context={context} action={`/library/${id}/delete`}>
        <button type="submit" class={status === 'draft' ? undefined : 'danger'}>
          {status === 'draft' ? t('common.decline') : t('common.delete')}
        </button>
      </Form>
    </div>
  )
}

/** The block as readers will see it, in a frame without scripts. */
function BlockFrame({ context, block }: { context: MemberRequest; block: ContentBlock }) {
  const query = new URLSearchParams({ v: String(block.version) })
  if (showsImages(context)) query.set('images', 'shown')
  return (
    <iframe
      class="block-frame"
      src={attribute(`/library/${block.id}/html?${query}`)}
      title={context.t('library.in_the_email')}
      sandbox={frameSandbox(true)}
    />
  )
}

async function showHtml(context: MemberRequest): Promise<Response> {
  const { ctx, deps, params, request } = context
  const html = await previewBlock(ctx, params['id'] ?? '')
  const images = showsImages(context) ? 'all' : 'own'
  const { baseUrl } = deps
  return emailFrame(html, { baseUrl, images, measurable: true, compressedFor: request })
}

async function remove(context: MemberRequest): Promise<Response> {
  const block = await loadBlock(context)
  const { id } = block
  await trashBlock(context.ctx, id)
  const isDraft = block.status === 'draft'
  if (isInPlace(context)) {
    return await reviewedRow(context, <DeletedRow t={context.t} block={block} isDraft={isDraft} />)
  }
  return redirect(context, `/library?deleted=${id}`)
}

async function restore(context: MemberRequest): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  const title = await restoreBlock(context.ctx, id)
  if (isInPlace(context)) {
    const block = await getBlock(context.ctx, id)
    return await reviewedRow(context, await blockRows(context, [block]))
  }
  return redirect(context, `/library/${id}`, success(t('library.is_restored', { title })))
}

/** Routes of the page of a block, its deletion and restoration. */
export const blockPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/library/:id', show, { role: 'viewer' })
    .get('/library/:id/html', showHtml, { role: 'viewer' })
    .post('/library/:id/delete', once(remove), { role: 'editor' })
    .post('/library/:id/restore', once(restore), { role: 'editor' })
