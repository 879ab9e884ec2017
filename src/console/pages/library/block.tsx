import { Elysia } from 'elysia'
import type { ContentBlock } from '../../../contract/content-block.ts'
import { restoreBlock, trashBlock, usesOfBlock } from '../../../features/content-blocks/index.ts'
import { attribute } from '../../attribute.ts'
import {
  BlockPreview,
  blockSourceLabels,
  blockTypeLabels,
  hasRemoteImages,
  StatusBadge,
} from '../../components/block.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { Form } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { providerName } from '../../components/provider.ts'
import { findUploadedImage } from '../../components/uploaded-image.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { Reader } from '../../http/reader.ts'
import { redirect, showsImages, success } from '../../http/responses.ts'
import type { Translate } from '../../messages/index.ts'
import { can } from '../../roles.ts'
import { newsletterStatusBadges } from '../newsletters/status-badges.ts'
import { loadBlock } from './load-block.ts'
import { OriginalText, SuggestionLink } from './suggestion.tsx'

/** The page of a block. The library shows its `#block` beside the list. */
async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const block = await loadBlock(context)
  const uses = await usesOfBlock(context.ctx, block.id)
  const { title } = block
  const images = showsImages(context)
  const uploaded = await findUploadedImage(context, block)
  return await layout(
    context,
    { title, section: 'library' },
    <>
      <PageHeader title={title}>
        <a class="button" href="/library">
          {t('common.library')}
        </a>
      </PageHeader>
      <div id="block" class="block">
        {can(context.member.role, 'editor') ? <Actions context={context} block={block} /> : null}
        <BlockPreview t={t} block={block} uploaded={uploaded} images={images} />
        {!images && hasRemoteImages(block, uploaded) ? (
          <p>
            <a class="button small" href={`/library/${block.id}?images=shown`}>
              {t('common.show_images')}
            </a>{' '}
            <span class="muted">{t('common.loads_them_from_other_websites')}</span>
          </p>
        ) : null}
        {can(context.member.role, 'editor') ? (
          <OriginalText context={context} block={block} />
        ) : null}
        <BlockDetails context={context} block={block} />
        {uses.length > 0 ? (
          <section aria-labelledby="uses">
            <h3 id="uses">{t('library.in_newsletters')}</h3>
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
        <button type="submit" class={nextStatus === 'ready' ? 'primary' : undefined}>
          {labels[nextStatus]}
        </button>
      </Form>
      <a class="button" href={`/library/${id}/edit`}>
        {t('common.edit')}
      </a>
      <SuggestionLink context={context} block={block} />
      <Form context={context} action={`/library/${id}/delete`}>
        <button type="submit" class="danger">
          {t('common.delete')}
        </button>
      </Form>
    </div>
  )
}

function BlockDetails({
  context: { deps, reader, t },
  block,
}: {
  context: MemberRequest
  block: ContentBlock
}) {
  const { status, block_type, source, origin, api_key_name, event_slug } = block
  return (
    <dl class="details-list">
      <dt>{t('common.status')}</dt>
      <dd>
        <StatusBadge t={t} status={status} />
      </dd>
      <dt>{t('common.type')}</dt>
      <dd>{t(blockTypeLabels[block_type])}</dd>
      <dt>{t('library.source')}</dt>
      <dd>{t(blockSourceLabels[source])}</dd>
      <Detail
        title={t('common.provider')}
        text={origin?.provider && providerName(deps, origin.provider)}
      />
      <Detail title={t('common.author')} text={origin?.author} />
      {origin?.url ? (
        <>
          <dt>{t('common.link')}</dt>
          <dd class="wrap">
            <a href={attribute(origin.url)} rel="noreferrer" safe>
              {origin.url}
            </a>
          </dd>
        </>
      ) : null}
      <Detail
        title={t('library.id_at_the_provider')}
        text={source === 'submission' ? null : origin?.external_id}
      />
      <Detail title={t('library.api_key')} text={api_key_name} />
      {event_slug ? (
        <>
          <dt>{t('common.event')}</dt>
          <dd>
            <a href={`/library?event=${encodeURIComponent(event_slug)}`} safe>
              {event_slug}
            </a>
          </dd>
        </>
      ) : null}
      <BlockDates t={t} reader={reader} block={block} />
    </dl>
  )
}

function Detail({ title, text }: { title: string; text: string | null | undefined }) {
  if (!text) return ''
  return (
    <>
      <dt safe>{title}</dt>
      <dd class="wrap" safe>
        {text}
      </dd>
    </>
  )
}

function BlockDates({
  t,
  reader,
  block: { publish_after, created_at, updated_at },
}: {
  t: Translate
  reader: Reader
  block: ContentBlock
}) {
  return (
    <>
      {publish_after ? (
        <>
          <dt>{t('library.not_before')}</dt>
          <dd>
            <DateTime reader={reader} at={new Date(publish_after)} />
          </dd>
        </>
      ) : null}
      <dt>{t('common.created')}</dt>
      <dd>
        <DateTime reader={reader} at={new Date(created_at)} />
      </dd>
      {updated_at === created_at ? null : (
        <>
          <dt>{t('library.last_changed')}</dt>
          <dd>
            <DateTime reader={reader} at={new Date(updated_at)} />
          </dd>
        </>
      )}
    </>
  )
}

async function remove(context: MemberRequest): Promise<Response> {
  const { id } = await loadBlock(context)
  await trashBlock(context.ctx, id)
  return redirect(context, `/library?deleted=${id}`)
}

async function restore(context: MemberRequest): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  const title = await restoreBlock(context.ctx, id)
  return redirect(context, `/library/${id}`, success(t('library.is_restored', { title })))
}

/** Routes of the page of a block, its deletion and restoration. */
export const blockPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/library/:id', show, { role: 'viewer' })
    .post('/library/:id/delete', remove, { role: 'editor' })
    .post('/library/:id/restore', restore, { role: 'editor' })
