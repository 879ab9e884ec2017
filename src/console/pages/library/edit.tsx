import { Elysia } from 'elysia'
import * as v from 'valibot'
import { NewBlock } from '../../../contract/block-input.ts'
import type { ContentBlock } from '../../../contract/content-block.ts'
import { createBlock, getBlock, updateBlock } from '../../../features/content-blocks/index.ts'
import { transaction } from '../../../lib/db.ts'
import { AppError } from '../../../lib/errors.ts'
import { BlockLook } from '../../components/block.tsx'
import { layout, PageHead } from '../../components/screen.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import type { Flash } from '../../http/csrf-and-flash.ts'
import { blank } from '../../http/form-data.ts'
import { redirect, success } from '../../http/responses.ts'
import { blockOf } from './block.tsx'
import { DraftAside } from './draft-aside.tsx'
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

interface NewBlockPage {
  entry?: SubmittedForm
  /** A message above the form, with a link if there is something to open. */
  message?: Flash
  link?: string
  status?: number
}

/** The form of a new block, with the form for an AI draft beside it. */
export async function newBlockPage(
  context: MemberRequest,
  { entry, message, link, status = 200 }: NewBlockPage = {},
): Promise<Response> {
  const event = context.url.searchParams.get('event') ?? ''
  return await layout(
    context,
    { title: 'New block', section: 'library', scripts, status },
    <>
      <PageHead title="New block" />
      {message ? (
        <p class={`notice ${message.tone}`} role="status" tabindex="-1">
          <span safe>{message.text}</span> {link ? <a href={link}>Open it</a> : null}
        </p>
      ) : null}
      <div class="writing">
        <BlockFields
          context={context}
          action="/library/new"
          entry={entry}
          block={{ ...emptyBlock, event_slug: event }}
          save="Add to the library"
          cancel="/library"
        />
        <DraftAside context={context} entry={entry} />
      </div>
    </>,
  )
}

/** The form of a new block with its errors. */
export const showNewErrors = (context: MemberRequest, entry: SubmittedForm) =>
  newBlockPage(context, { entry })

async function create(context: FormRequest<typeof BlockForm>): Promise<Response> {
  const input = context.body
  const { sql, now } = context.deps
  const author = { teamId: context.teamId, keyId: null, source: 'manual' as const }
  const block = { ...input, status: 'draft' as const }
  const { id } = await transaction(sql, (tx) => createBlock(tx, now, author, block))
  return redirect(context, `/library/${id}`, success('The draft is in the library.'))
}

async function editScreen(
  context: MemberRequest,
  entry?: SubmittedForm,
  conflict = false,
): Promise<Response> {
  const block = await blockOf(context)
  return await layout(
    context,
    { title: `Edit “${block.title}”`, section: 'library', scripts, status: conflict ? 409 : 200 },
    <>
      <PageHead title="Edit" />
      {conflict ? <Conflict block={block} /> : null}
      <BlockFields
        context={context}
        action={`/library/${block.id}/edit`}
        entry={entry}
        block={block}
        version={block.version}
        save={conflict ? 'Save my version' : 'Save'}
        cancel={`/library/${block.id}`}
      />
    </>,
  )
}

/** What somebody else has made of the block meanwhile. */
function Conflict({ block }: { block: ContentBlock }) {
  return (
    <section class="notice warn" role="alert" aria-labelledby="conflict">
      <h2 id="conflict">Someone else has changed this block</h2>
      <p>
        Your text is in the fields below. Copy what you want to keep from the current version, then
        save.
      </p>
      <details open>
        <summary>Current version</summary>
        <BlockLook block={block} />
      </details>
    </section>
  )
}

const EditForm = v.object({
  ...BlockForm.entries,
  version: v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number)),
})

async function edit(context: FormRequest<typeof EditForm>): Promise<Response> {
  const { version, ...input } = context.body
  const { sql, now } = context.deps
  const { id, body_format, ...current } = await getBlock(
    sql,
    context.teamId,
    context.params['id'] ?? '',
  )
  // Text that nobody touched stays what it was, also where it looks like something else.
  const isSame = input.body === current.body
  const change = { ...input, ...(isSame && { body_format }) }
  try {
    await transaction(sql, (tx) => updateBlock(tx, now, context.teamId, id, change, [version]))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'version_mismatch')) throw error
    return await editScreen(context, { values: context.values, errors: [] }, true)
  }
  return redirect(context, `/library/${id}`, success('Saved.'))
}

/** Writing and rewriting blocks. */
export const editPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/library/new', (context) => newBlockPage(context), { role: 'editor' })
    .post('/library/new', create, {
      role: 'editor',
      body: BlockForm,
      renderWithErrors: showNewErrors,
    })
    .get('/library/:id/edit', (context) => editScreen(context), { role: 'editor' })
    .post('/library/:id/edit', edit, {
      role: 'editor',
      body: EditForm,
      renderWithErrors: editScreen,
    })
