import { Elysia } from 'elysia'
import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import { getNewsletter, previewNewsletter } from '../../../../features/newsletters/index.ts'
import { findSampleContent } from '../../../../features/sample-content/index.ts'
import { listTemplates } from '../../../../features/templates/index.ts'
import { Form } from '../../../components/form/form.tsx'
import { layout } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, MemberRequest, SubmittedForm } from '../../../http/context.ts'
import { can } from '../../../roles.ts'
import { DuplicateActions, NewsletterHeader } from '../header.tsx'
import { arrangeBySection } from './arranged-blocks.ts'
import { type Conflicts, DetailsForm } from './details.tsx'
import { LiveNotices } from './live-notices.tsx'
import { Outline } from './outline.tsx'
import { LibraryPanel, loadLibraryPanel } from './panels/library-panel.tsx'
import { NewsletterPanel } from './panels/newsletter-panel.tsx'
import { PanelTabs } from './panels/panel-tabs.tsx'
import { ReadOnlyNewsletter } from './read-only-newsletter.tsx'
import { type ComposerView, queryOf, rememberView, requestedView } from './view.ts'
import { Warnings } from './warnings.tsx'

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
  const response = await layout(
    context,
    {
      title: newsletter.title,
      section: 'newsletters',
      status: rejected?.status ?? 200,
      scripts: canEdit ? composerScripts : ['canvas.js', 'presence.js'],
      laterScripts: canEdit ? laterScripts : [],
      isCompressed: true,
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
  rememberView(context, view, response)
  return response
}

const composerScripts = [
  'page-form.js' as const,
  ...(['canvas.js', 'sortable-blocks.js', 'in-place-editor.js', 'composer.js'] as const),
  'presence.js' as const,
]

/** Scripts that a script of the page loads: for dragging, and for the forms that are opened in place. */
const laterScripts = [
  'sortable.js' as const,
  ...(['purify.js', 'squire.js', 'pasted-content.js', 'editor-toolbar.js', 'editor.js'] as const),
  'editor-markdown.js' as const,
  ...(['image-field.js', 'editor-image.js'] as const),
]

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
    previewNewsletter(ctx, { id: newsletter.id }),
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
    loadLibraryPanel(context, newsletter, view),
    listTemplates(context.ctx, { page: 1, perPage: 100 }),
  ])
  return { ...reading, blocks, templates }
}

interface NewsletterPageProps {
  context: MemberRequest
  newsletter: Newsletter
  view: ComposerView
}
type ComposerProps = NewsletterPageProps &
  Awaited<ReturnType<typeof loadComposerData>> & { rejected: RejectedForm | undefined }

function Composer(props: ComposerProps) {
  const { t } = props.context
  const { context, newsletter, view, sections, templates, preview, blocks, rejected } = props
  const query = queryOf(view)
  const path = `/newsletters/${newsletter.id}`
  const { notices, html } = preview
  return (
    <div id="composer" class="composer" data-panel={view.panel}>
      <NewsletterHeader context={context} newsletter={newsletter} page="compose" view={query} />
      <LiveNotices path={path} />
      <div class="composer-grid">
        <PanelTabs t={t} newsletter={newsletter} view={view} />
        <div class="composer-library">
          <LibraryPanel {...{ context, newsletter, blocks, view }} />
        </div>
        <div class="composer-newsletter">
          <DetailsForm
            {...{ context, newsletter, templates, notices, view: query }}
            submitted={rejected?.submitted}
            conflicts={rejected?.conflicts ?? []}
          />
          <NewsletterPanel {...{ context, path, view, html }} canEdit />
        </div>
        <div class="composer-outline">
          <Warnings context={context} notices={notices} />
          <Outline {...{ context, newsletter, notices, sections, view: query }} canEdit />
          <div class="row whole-newsletter">
            <DuplicateActions context={context} id={newsletter.id} />
            <a class="button ghost small" href={`${path}/delete`}>
              {t('newsletters.delete_this_newsletter')}
            </a>
          </div>
        </div>
      </div>
    </div>
  )
}

/** The route of the page of a newsletter. */
export const composerPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/newsletters/:id', (context) => composerPage(context, requestedView(context)), {
      role: 'viewer',
    })
