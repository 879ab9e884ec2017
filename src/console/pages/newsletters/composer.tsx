import { Elysia } from 'elysia'
import type { Newsletter } from '../../../contract/newsletter.ts'
import { getNewsletter, previewNewsletter } from '../../../features/newsletters/index.ts'
import { listTemplates } from '../../../features/templates/index.ts'
import { attribute } from '../../attribute.ts'
import { layout } from '../../components/screen.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { can } from '../../roles.ts'
import { BlockList } from './block-list.tsx'
import { type Conflicts, DetailsForm } from './details.tsx'
import { NewsletterHead } from './head.tsx'
import { LibraryPanel, loadLibraryPanel } from './library-panel.tsx'
import { arrange } from './placed-blocks.ts'
import { PreviewPane, Warnings } from './preview-pane.tsx'
import { queryOf, type View, viewOf } from './view.ts'

interface Refused {
  entry: SubmittedForm
  conflicts?: Conflicts
  status?: number
}

/** The page where an issue is put together; for those who only read, and once it is sent, to look at. */
export async function composerScreen(
  context: MemberRequest,
  view: View,
  refused?: Refused,
): Promise<Response> {
  const { newsletter } = await getNewsletter(
    context.deps.sql,
    context.teamId,
    context.params['id'] ?? '',
  )
  const mayChange = can(context.member.role, 'editor') && newsletter.status !== 'sent'
  return await layout(
    context,
    {
      title: newsletter.title,
      section: 'newsletters',
      status: refused?.status ?? 200,
      scripts: ['sortable.js', 'preview.js', 'composer.js'],
    },
    mayChange ? (
      <Workbench
        {...(await materialsOf(context, newsletter, view))}
        {...{ context, newsletter, view, refused }}
      />
    ) : (
      <Reading {...(await readingOf(context, newsletter))} {...{ context, newsletter, view }} />
    ),
  )
}

async function readingOf({ deps: { sql, now }, teamId }: MemberRequest, newsletter: Newsletter) {
  const [preview, sections] = await Promise.all([
    previewNewsletter(sql, teamId, newsletter.id, now()),
    arrange(sql, teamId, newsletter),
  ])
  return { preview, sections }
}

async function materialsOf(context: MemberRequest, newsletter: Newsletter, view: View) {
  const [reading, blocks, { items: templates }] = await Promise.all([
    readingOf(context, newsletter),
    loadLibraryPanel(context, view),
    listTemplates(context.deps.sql, context.teamId, { page: 1, perPage: 100 }),
  ])
  return { ...reading, blocks, templates }
}

interface Shown {
  context: MemberRequest
  newsletter: Newsletter
  view: View
}
type ReadingProps = Shown & Awaited<ReturnType<typeof readingOf>>
type WorkbenchProps = Shown &
  Awaited<ReturnType<typeof materialsOf>> & { refused: Refused | undefined }

function Workbench(props: WorkbenchProps) {
  const { context, newsletter, view, sections, templates, preview, blocks, refused } = props
  const query = queryOf(view)
  return (
    <div id="composer" class="composer" data-pane={view.pane}>
      <NewsletterHead context={context} newsletter={newsletter} at="compose" view={query} />
      <div class="bench">
        <PaneTabs newsletter={newsletter} view={view} />
        <div class="bench-issue">
          <DetailsForm
            {...{ context, newsletter, templates, view: query }}
            entry={refused?.entry}
            conflicts={refused?.conflicts ?? []}
          />
          <Warnings warnings={preview.warnings} />
          <BlockList {...{ context, newsletter, sections, view: query }} mayChange />
          <p>
            <a class="button plain small" href={`/newsletters/${newsletter.id}/delete`}>
              Delete this newsletter
            </a>
          </p>
        </div>
        <div class="bench-library">
          <LibraryPanel {...{ context, newsletter, blocks, view }} />
        </div>
        <div class="bench-preview">
          <PreviewPane path={`/newsletters/${newsletter.id}`} view={view} preview={preview} />
        </div>
      </div>
      <p id="said" class="toast" role="status"></p>
    </div>
  )
}

const paneTitles = { issue: 'Newsletter', library: 'Library', preview: 'Preview' } as const

/** Where there is no room for all: which side is open. */
function PaneTabs({ newsletter, view }: { newsletter: Newsletter; view: View }) {
  return (
    <nav id="panes" class="choice panes" data-part aria-label="Panel">
      {(['issue', 'library', 'preview'] as const).map((pane) => (
        <a
          data-swap
          id={`pane-${pane}`}
          href={attribute(`/newsletters/${newsletter.id}${queryOf({ ...view, pane })}`)}
          aria-current={pane === view.pane ? 'true' : undefined}
        >
          {paneTitles[pane]}
          {pane === 'issue' ? ` (${newsletter.blocks.length})` : ''}
        </a>
      ))}
    </nav>
  )
}

function Reading({ context, newsletter, view, sections, preview }: ReadingProps) {
  return (
    <div id="composer" class="composer">
      <NewsletterHead context={context} newsletter={newsletter} at="compose" />
      <div class="bench reading">
        <div class="bench-issue">
          <Envelope newsletter={newsletter} />
          <Warnings warnings={preview.warnings} />
          <BlockList {...{ context, newsletter, sections, view: '' }} mayChange={false} />
        </div>
        <div class="bench-preview">
          <PreviewPane path={`/newsletters/${newsletter.id}`} view={view} preview={preview} />
        </div>
      </div>
      <p id="said" class="toast" role="status"></p>
    </div>
  )
}

function Envelope({
  newsletter: { subject_line, preheader_text, status },
}: {
  newsletter: Newsletter
}) {
  return (
    <div class="card">
      {status === 'sent' ? (
        <p class="quiet">
          This newsletter was sent. Later changes to its blocks and template do not change it.
        </p>
      ) : null}
      <dl class="facts">
        <dt>Subject</dt>
        <dd safe>{subject_line ?? 'None yet'}</dd>
        {preheader_text ? (
          <>
            <dt>Preheader</dt>
            <dd safe>{preheader_text}</dd>
          </>
        ) : null}
      </dl>
    </div>
  )
}

/** A newsletter's own page. */
export const composerPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get(
      '/newsletters/:id',
      (context) => composerScreen(context, viewOf(context.url.searchParams)),
      { role: 'viewer' },
    )
