import * as v from 'valibot'
import { NewBlock } from '../../../contract/block-input.ts'
import type { ContentBlock } from '../../../contract/content-block.ts'
import { createBlock, getBlock, updateBlock } from '../../../features/content-blocks/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { BlockLook } from '../../components/block.tsx'
import { layout, PageHead } from '../../components/screen.tsx'
import { blank } from '../../form-data.ts'
import { action, type MemberRequest, page, type Route, type SubmittedForm } from '../../page.ts'
import { redirect, success } from '../../responses.ts'
import { blockOf } from './block.tsx'
import { DraftAside } from './draft.tsx'
import { BlockFields, emptyBlock } from './fields.tsx'

const { title, body, block_type, event_slug, image_url, image_size, publish_after } =
  NewBlock.entries

/** What a `datetime-local` field sends, which the page's script has put into UTC. */
const moment = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text): unknown => {
    if (text.trim() === '') return null
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00Z` : text
  }),
  publish_after,
)

const BlockForm = v.object({
  title,
  body,
  block_type,
  event_slug: blank(event_slug),
  image_url: blank(image_url),
  image_size: blank(image_size),
  publish_after: moment,
})

const scripts = ['purify.js', 'squire.js', 'editor.js'] as const

const showNew = page('/library/new', 'editor', (visit) => newScreen(visit))

async function newScreen(visit: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const event = visit.url.searchParams.get('event') ?? ''
  return await layout(
    visit,
    { title: 'New block', section: 'library', scripts },
    <>
      <PageHead title="New block" />
      <div class="writing">
        <BlockFields
          visit={visit}
          action="/library/new"
          entry={entry}
          block={{ ...emptyBlock, event_slug: event }}
          save="Add to the library"
          cancel="/library"
        />
        <DraftAside visit={visit} event={event} />
      </div>
    </>,
  )
}

const create = action('/library/new', 'editor', {
  form: BlockForm,
  renderWithErrors: newScreen,
  async handle(visit, input) {
    const { sql, now } = visit.deps
    const author = { teamId: visit.teamId, keyId: null, source: 'manual' as const }
    const block = { ...input, body_format: undefined, status: 'draft' as const }
    const { id } = await sql.begin((tx) => createBlock(tx, now, author, block))
    return redirect(visit, `/library/${id}`, success('It is in the library, as a draft.'))
  },
})

const showEdit = page('/library/:id/edit', 'editor', (visit) => editScreen(visit))

async function editScreen(
  visit: MemberRequest,
  entry?: SubmittedForm,
  conflict = false,
): Promise<Response> {
  const block = await blockOf(visit)
  return await layout(
    visit,
    { title: `Edit “${block.title}”`, section: 'library', scripts, status: conflict ? 409 : 200 },
    <>
      <PageHead title="Edit" />
      {conflict ? <Conflict block={block} /> : null}
      <BlockFields
        visit={visit}
        action={`/library/${block.id}/edit`}
        entry={entry}
        block={block}
        version={block.version}
        save={conflict ? 'Save mine over it' : 'Save'}
        cancel={`/library/${block.id}`}
      />
    </>,
  )
}

/** What somebody else has made of the block meanwhile. */
function Conflict({ block }: { block: ContentBlock }) {
  return (
    <section class="notice warn" role="alert" aria-labelledby="conflict">
      <h2 id="conflict">Somebody else has changed it meanwhile</h2>
      <p>
        Nothing of yours is lost: it is in the fields below. Take over what you want to keep of
        theirs, then save.
      </p>
      <details open>
        <summary>As it is now</summary>
        <BlockLook block={block} />
      </details>
    </section>
  )
}

const EditForm = v.object({
  ...BlockForm.entries,
  version: v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number)),
})

const edit = action('/library/:id/edit', 'editor', {
  form: EditForm,
  renderWithErrors: (visit, entry) => editScreen(visit, entry),
  async handle(visit, { version, ...input }) {
    const { sql, now } = visit.deps
    const { id, body_format, ...current } = await getBlock(
      sql,
      visit.teamId,
      visit.params['id'] ?? '',
    )
    // Text that nobody touched stays what it was, also where it looks like something else.
    const isSame = input.body === current.body
    const change = { ...input, ...(isSame && { body_format }) }
    try {
      await sql.begin((tx) => updateBlock(tx, now, visit.teamId, id, change, [version]))
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'version_mismatch')) throw error
      return await editScreen(visit, { values: visit.values, errors: [] }, true)
    }
    return redirect(visit, `/library/${id}`, success('It is saved.'))
  },
})

/** Writing and rewriting blocks. */
export const editRoutes: readonly Route[] = [showNew, create, showEdit, edit]
