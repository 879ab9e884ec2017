import { Elysia } from 'elysia'
import type { ElementType } from '../../../contract/newsletters/element.ts'
import { getNewsletter, restoreNewsletterVersion } from '../../../features/newsletters/index.ts'
import {
  getNewsletterVersion,
  listVersions,
  type NewsletterContent,
  type VersionRow,
} from '../../../features/versions/index.ts'
import { textLinesOf } from '../../../lib/html/sanitize-html.ts'
import { formatDate } from '../../components/dates/date-time.tsx'
import { layout } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../http/context.ts'
import { once } from '../../http/forms/once.ts'
import type { TextKey, Translate } from '../../locales/index.ts'
import { NewsletterHeader } from '../newsletters/header.tsx'
import { newsletterStatusBadges } from '../newsletters/status-badges.ts'
import { sectionText } from './block.tsx'
import type { ShownField } from './differences.tsx'
import { chosenVersions, History, NoVersions, RestoreForm } from './history-page.tsx'
import { redirectRestored } from './restored.ts'

const labels = {
  title: 'common.title',
  subject_line: 'newsletters.subject',
  preheader_text: 'newsletters.preheader',
  status: 'common.status',
  scheduled_date: 'common.date',
  template_slug: 'newsletters.template',
  cover_image_url: 'newsletters.cover_image',
  cover_image_alt: 'newsletters.what_the_cover_image_shows',
  cover_focal_x: 'history.image_section',
  cover_focal_y: 'history.image_section',
  cover_color: 'newsletters.cover_color',
  intro: 'newsletters.introduction',
  closing: 'newsletters.closing_text',
  table_of_contents: 'newsletters.table_of_contents',
  blocks: 'newsletters.blocks',
  elements: 'history.elements',
} as const satisfies Record<string, TextKey>

/** The fields of a version of a newsletter as people read them. */
function fieldsOf({ t, userLocale }: MemberRequest, content: NewsletterContent): ShownField[] {
  const { scheduled_date: date, intro, closing, cover_focal_x, cover_focal_y } = content
  const prose = (label: TextKey, html: string | null): ShownField => ({
    label,
    text: textLinesOf(html ?? ''),
    stored: html ?? '',
    isProse: true,
  })
  return [
    { label: labels.title, text: content.title, isProse: true },
    { label: labels.subject_line, text: content.subject_line ?? '', isProse: true },
    { label: labels.preheader_text, text: content.preheader_text ?? '', isProse: true },
    { label: labels.status, text: t(newsletterStatusBadges[content.status].title) },
    { label: labels.scheduled_date, text: date === null ? '' : formatDate(userLocale, date) },
    { label: labels.template_slug, text: content.template_slug },
    { label: labels.cover_image_url, text: content.cover_image_url ?? '' },
    { label: labels.cover_image_alt, text: content.cover_image_alt ?? '', isProse: true },
    { label: labels.cover_focal_x, text: sectionText(cover_focal_x, cover_focal_y) },
    { label: labels.cover_color, text: content.cover_color ?? '' },
    prose(labels.intro, intro),
    { label: 'history.contents', text: contentsText(t, content), isProse: true },
    prose(labels.closing, closing),
    {
      label: labels.table_of_contents,
      text: t(tableOfContentsTexts[`${content.table_of_contents}`]),
    },
  ]
}

const tableOfContentsTexts = {
  true: 'newsletters.always',
  false: 'newsletters.never',
  null: 'newsletters.in_long_newsletters',
} as const satisfies Record<string, TextKey>

const elementLabels = {
  section: 'newsletters.section',
  divider: 'newsletters.divider',
  callout: 'newsletters.callout',
  poll: 'newsletters.poll',
} as const satisfies Record<ElementType, TextKey>

/** The blocks and elements of a newsletter in their order, one per line. */
function contentsText(t: Translate, { blocks, elements }: NewsletterContent): string {
  const at = (position: number) =>
    elements
      .filter((element) => element.before_position === position)
      .map((element) => elementText(t, element))
  const lines = blocks.flatMap(({ title }, index) => [...at(index + 1), title])
  const rest = elements.filter((element) => element.before_position > blocks.length)
  return [...lines, ...rest.map((element) => elementText(t, element))].join('\n')
}

function elementText(
  t: Translate,
  { type, heading, body, options }: NewsletterContent['elements'][number],
): string {
  const texts = [heading, body && textLinesOf(body), options?.map(({ label }) => label).join(', ')]
  const text = texts.filter(Boolean).join(', ')
  return text === '' ? t(elementLabels[type]) : `${t(elementLabels[type])}: ${text}`
}

async function show(context: MemberRequest): Promise<Response> {
  const { t, ctx } = context
  const newsletter = await getNewsletter(ctx, context.params['id'] ?? '')
  const { id } = newsletter
  const versions = await listVersions(ctx, { kind: 'newsletter', id })
  const chosen = chosenVersions(context, versions)
  const contentOf = async ({ version }: VersionRow) =>
    await getNewsletterVersion(ctx, { id, version })
  const after = chosen && (await contentOf(chosen.shown))
  const before = chosen?.compared ? await contentOf(chosen.compared) : null
  return await layout(
    context,
    { title: t('history.title', { title: newsletter.title }), section: 'newsletters' },
    <>
      <NewsletterHeader context={context} newsletter={newsletter} page="history" />
      {chosen && after ? (
        <History
          context={context}
          path={`/newsletters/${id}/history`}
          versions={versions}
          chosen={chosen}
          creator={null}
          labels={labels}
          fields={{
            before: before && fieldsOf(context, before),
            after: fieldsOf(context, after),
          }}
          current={newsletter.status === 'sent' ? null : newsletter.version}
          content={
            <details open={before === null}>
              <summary>{t('history.contents_of_this_version')}</summary>
              <p class="text-diff" safe>
                {contentsText(t, after) || t('newsletters.block', { count: 0 })}
              </p>
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
  const { t, ctx, params, body } = context
  const id = params['id'] ?? ''
  return await redirectRestored(context, `/newsletters/${id}/history`, async () => {
    const { version, current } = body
    const missing = await restoreNewsletterVersion(ctx, { id, version, expected: [current] })
    const text = t('history.restored', { version })
    const rest =
      missing.blocks > 0 ? ` ${t('history.blocks_missing', { count: missing.blocks })}` : ''
    return { path: `/newsletters/${id}`, text: `${text}${rest}` }
  })
}

/** Routes of the history of a newsletter. */
export const newsletterHistoryPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id/history', show, { role: 'editor' })
    .post('/newsletters/:id/history/restore', once(restore), { role: 'editor', body: RestoreForm })
