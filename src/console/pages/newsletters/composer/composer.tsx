import { Elysia } from 'elysia'
import type { Newsletter } from '../../../../contract/newsletter.ts'
import { getNewsletter, previewNewsletter } from '../../../../features/newsletters/index.ts'
import { findSampleContent } from '../../../../features/sample-content/index.ts'
import { listTemplates } from '../../../../features/templates/index.ts'
import { attribute } from '../../../attribute.ts'
import { Form } from '../../../components/form/form.tsx'
import { layout } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, MemberRequest, SubmittedForm } from '../../../http/context.ts'
import type { Translate } from '../../../locales/index.ts'
import { can } from '../../../roles.ts'
import { DuplicateForm, NewsletterHeader } from '../header.tsx'
import { arrangeBySection } from './arranged-blocks.ts'
import { BlockList } from './block-list.tsx'
import { type Conflicts, DetailsForm } from './details.tsx'
import { LibraryPanel, loadLibraryPanel } from './library-panel.tsx'
import { PreviewPanel, Warnings } from './preview-panel.tsx'
import { type ComposerView, queryOf, viewOf } from './view.ts'

interface RejectedForm {
  submitted: SubmittedForm
  conflicts?: Conflicts
  status?: number
}

/** The page of a newsletter: the composer, or a read-only view for viewers and sent newsletters. */
export async function composerPage(
  context: MemberRequest,
  view: ComposerView,
  rejected?: RejectedForm,
): Promise<Response> {
  const newsletter = await getNewsletter(context.ctx, context.params['id'] ?? '')
  const canEdit = can(context.member.role, 'editor') && newsletter.status !== 'sent'
  const isAdmin = can(context.member.role, 'admin')
  const sample = isAdmin ? await findSampleContent(context.ctx) : null
  const isSample = sample?.newsletterId === newsletter.id
  return await layout(
    context,
    {
      title: newsletter.title,
      section: 'newsletters',
      status: rejected?.status ?? 200,
      scripts: ['sortable.js', 'preview.js', 'sortable-blocks.js', 'composer.js'],
    },
    <>
      {isSample ? <SampleNotice context={context} /> : null}
      {canEdit ? (
        <Composer
          {...(await loadComposerData(context, newsletter, view))}
          {...{ context, newsletter, view, rejected }}
        />
      ) : (
        <ReadOnlyNewsletter
          {...(await loadNewsletterView(context, newsletter))}
          {...{ context, newsletter, view }}
        />
      )}
    </>,
  )
}

/** Says that this newsletter is the sample, with a button that removes it. */
function SampleNotice({ context }: { context: MemberRequest }) {
  const { t } = context
  return (
    <div class="notice row">
      <span>{t('newsletters.this_is_the_sample')}</span>
      <a class="button small" href="/welcome">
        {t('welcome.first_steps')}
      </a>
      <Form context={context} action="/welcome/sample/remove">
        <button type="submit" class="small">
          {t('welcome.remove_sample')}
        </button>
      </Form>
    </div>
  )
}

async function loadNewsletterView({ t, ctx }: MemberRequest, newsletter: Newsletter) {
  const [preview, sections] = await Promise.all([
    previewNewsletter(ctx, newsletter.id),
    arrangeBySection(t, ctx, newsletter),
  ])
  return { preview, sections }
}

async function loadComposerData(
  context: MemberRequest,
  newsletter: Newsletter,
  view: ComposerView,
) {
  const [reading, blocks, { items: templates }] = await Promise.all([
    loadNewsletterView(context, newsletter),
    loadLibraryPanel(context, view),
    listTemplates(context.ctx, { page: 1, perPage: 100 }),
  ])
  return { ...reading, blocks, templates }
}

interface NewsletterPageProps {
  context: MemberRequest
  newsletter: Newsletter
  view: ComposerView
}
type ReadOnlyProps = NewsletterPageProps & Awaited<ReturnType<typeof loadNewsletterView>>
type ComposerProps = NewsletterPageProps &
  Awaited<ReturnType<typeof loadComposerData>> & { rejected: RejectedForm | undefined }

function Composer(props: ComposerProps) {
  const { t } = props.context
  const { context, newsletter, view, sections, templates, preview, blocks, rejected } = props
  const query = queryOf(view)
  return (
    <div id="composer" class="composer" data-panel={view.panel}>
      <NewsletterHeader context={context} newsletter={newsletter} page="compose" view={query} />
      <div class="composer-grid">
        <PanelTabs t={t} newsletter={newsletter} view={view} />
        <div class="composer-newsletter">
          <DetailsForm
            {...{ context, newsletter, templates, view: query }}
            submitted={rejected?.submitted}
            conflicts={rejected?.conflicts ?? []}
          />
          <Warnings t={t} reader={context.reader} warnings={preview.warnings} />
          <BlockList {...{ context, newsletter, sections, view: query }} canEdit />
          <div class="row">
            <DuplicateForm context={context} id={newsletter.id} buttonClass="ghost small" />
            <a class="button ghost small" href={`/newsletters/${newsletter.id}/delete`}>
              {t('newsletters.delete_this_newsletter')}
            </a>
          </div>
        </div>
        <div class="composer-library">
          <LibraryPanel {...{ context, newsletter, blocks, view }} />
        </div>
        <div class="composer-preview">
          <PreviewPanel
            t={t}
            baseUrl={context.deps.baseUrl}
            path={`/newsletters/${newsletter.id}`}
            view={view}
            preview={preview}
          />
        </div>
      </div>
      <p id="toast" class="toast" role="status"></p>
    </div>
  )
}

const panelLabels = {
  newsletter: 'newsletters.newsletter',
  library: 'common.library',
  preview: 'newsletters.preview',
} as const

/** Selects the panel on screens that are too narrow for all panels. */
function PanelTabs({
  t,
  newsletter,
  view,
}: {
  t: Translate
  newsletter: Newsletter
  view: ComposerView
}) {
  return (
    <nav
      id="panel-tabs"
      class="segmented-control panel-tabs"
      data-part
      aria-label={t('newsletters.panel')}
    >
      {(['newsletter', 'library', 'preview'] as const).map((panel) => (
        <a
          data-swap
          id={`panel-${panel}`}
          href={attribute(`/newsletters/${newsletter.id}${queryOf({ ...view, panel })}`)}
          aria-current={panel === view.panel ? 'true' : undefined}
        >
          {t(panelLabels[panel])}
          {panel === 'newsletter' ? ` (${newsletter.blocks.length})` : ''}
        </a>
      ))}
    </nav>
  )
}

function ReadOnlyNewsletter({ context, newsletter, view, sections, preview }: ReadOnlyProps) {
  const { t } = context
  return (
    <div id="composer" class="composer">
      <NewsletterHeader context={context} newsletter={newsletter} page="compose" />
      <div class="composer-grid reading">
        <div class="composer-newsletter">
          <SubjectLines t={t} newsletter={newsletter} />
          <Warnings t={t} reader={context.reader} warnings={preview.warnings} />
          <BlockList {...{ context, newsletter, sections, view: '' }} canEdit={false} />
        </div>
        <div class="composer-preview">
          <PreviewPanel
            t={t}
            baseUrl={context.deps.baseUrl}
            path={`/newsletters/${newsletter.id}`}
            view={view}
            preview={preview}
          />
        </div>
      </div>
      <p id="toast" class="toast" role="status"></p>
    </div>
  )
}

function SubjectLines({
  t,
  newsletter: { subject_line, preheader_text, status },
}: {
  t: Translate
  newsletter: Newsletter
}) {
  return (
    <div class="card">
      {status === 'sent' ? (
        <p class="muted">{t('newsletters.this_newsletter_was_sent_later')}</p>
      ) : null}
      <dl class="details-list">
        <dt>{t('newsletters.subject')}</dt>
        <dd safe>{subject_line ?? t('newsletters.none_yet')}</dd>
        {preheader_text ? (
          <>
            <dt>{t('newsletters.preheader')}</dt>
            <dd safe>{preheader_text}</dd>
          </>
        ) : null}
      </dl>
    </div>
  )
}

/** The route of the page of a newsletter. */
export const composerPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id', (context) => composerPage(context, viewOf(context.url.searchParams)), {
      role: 'viewer',
    })
