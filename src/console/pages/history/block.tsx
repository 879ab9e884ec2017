import { Elysia } from 'elysia'
import type { ContentBlock } from '../../../contract/blocks/content-block.ts'
import { restoreBlockVersion } from '../../../features/content-blocks/index.ts'
import {
  type BlockContent,
  getBlockVersion,
  listVersions,
  type VersionRow,
} from '../../../features/versions/index.ts'
import { textLinesOf } from '../../../lib/html/sanitize-html.ts'
import {
  BlockBody,
  blockStatusBadges,
  blockTypeLabels,
  originLabel,
} from '../../components/block.tsx'
import { formatTime } from '../../components/dates/date-time.tsx'
import { eventName } from '../../components/event.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../http/context.ts'
import { once } from '../../http/forms/once.ts'
import type { TextKey } from '../../locales/index.ts'
import { loadBlock } from '../library/load-block.ts'
import type { ShownField } from './differences.tsx'
import { chosenVersions, History, NoVersions, RestoreForm } from './history-page.tsx'
import { redirectRestored } from './restored.ts'

const labels = {
  title: 'common.title',
  body: 'common.body',
  block_type: 'common.type',
  status: 'common.status',
  event_slug: 'common.event',
  image_url: 'library.image',
  image_alt: 'blocks.what_the_image_shows',
  image_size: 'history.image_size',
  image_focal_x: 'history.image_section',
  image_focal_y: 'history.image_section',
  author: 'common.author',
  source_url: 'common.link',
  publish_after: 'library.not_before',
} as const satisfies Record<string, TextKey>

/** The fields of a version of a block as people read them. */
async function fieldsOf(context: MemberRequest, content: BlockContent): Promise<ShownField[]> {
  const { t, userLocale } = context
  const { body, body_format, publish_after, image_size, event_slug } = content
  const until = publish_after && formatTime(userLocale, new Date(publish_after))
  return [
    { label: labels.title, text: content.title, isProse: true },
    {
      label: labels.body,
      text: body_format === 'html' ? textLinesOf(body) : body,
      stored: body,
      isProse: true,
    },
    { label: labels.block_type, text: t(blockTypeLabels[content.block_type]) },
    { label: labels.status, text: t(blockStatusBadges[content.status].title) },
    { label: labels.event_slug, text: event_slug ? await eventName(context, event_slug) : '' },
    { label: labels.image_url, text: content.image_url ?? '' },
    { label: labels.image_alt, text: content.image_alt ?? '', isProse: true },
    { label: labels.image_size, text: image_size ? t(`history.size_${image_size}`) : '' },
    {
      label: labels.image_focal_x,
      text: sectionText(content.image_focal_x, content.image_focal_y),
    },
    { label: labels.author, text: content.author ?? '' },
    { label: labels.source_url, text: content.source_url ?? '' },
    { label: labels.publish_after, text: until ?? '' },
  ]
}

/** Which part of an image stays visible when it is cropped, in percent from the left and from the top. */
export const sectionText = (x: number | null, y: number | null): string =>
  x === null && y === null ? '' : `${percent(x)} / ${percent(y)}`
const percent = (part: number | null) => `${Math.round((part ?? 0.5) * 100)} %`

/** Who or what created a block. The author of a block that somebody wrote here is a field of its form. */
function creatorOf({ t, deps }: MemberRequest, block: ContentBlock): string {
  const isSent = block.source === 'webhook' || block.source === 'submission'
  return (isSent && block.origin?.author) || originLabel(t, deps, block)
}

async function show(context: MemberRequest): Promise<Response> {
  const { t, ctx } = context
  const block = await loadBlock(context)
  const path = `/library/${block.id}/history`
  const versions = await listVersions(ctx, { kind: 'block', id: block.id })
  const chosen = chosenVersions(context, versions)
  const contentOf = async ({ version }: VersionRow) =>
    await getBlockVersion(ctx, { id: block.id, version })
  const after = chosen && (await contentOf(chosen.shown))
  const before = chosen?.compared ? await contentOf(chosen.compared) : null
  return await layout(
    context,
    { title: t('history.title', { title: block.title }), section: 'library' },
    <>
      <PageHeader
        title={t('history.history')}
        parent={{ href: `/library/${block.id}`, title: block.title }}
      />
      {chosen && after ? (
        <History
          context={context}
          path={path}
          versions={versions}
          chosen={chosen}
          creator={creatorOf(context, block)}
          labels={labels}
          fields={{
            before: before && (await fieldsOf(context, before)),
            after: await fieldsOf(context, after),
          }}
          current={block.version}
          content={
            <details open={before === null}>
              <summary>{t('history.text_in_this_version')}</summary>
              <h3 safe>{after.title}</h3>
              <BlockBody t={t} body={after.body} format={after.body_format} />
            </details>
          }
        />
      ) : (
        <NoVersions t={t} />
      )}
    </>,
  )
}

async function restore(context: FormRequest<typeof RestoreForm>): Promise<Response> {
  const { version, current } = context.body
  const { id } = await loadBlock(context)
  return await redirectRestored(context, `/library/${id}/history`, async () => {
    await restoreBlockVersion(context.ctx, { id, version, expected: [current] })
    return { path: `/library/${id}`, text: context.t('history.restored', { version }) }
  })
}

/** Routes of the history of a block. */
export const blockHistoryPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/library/:id/history', show, { role: 'editor' })
    .post('/library/:id/history/restore', once(restore), { role: 'editor', body: RestoreForm })
