import { Elysia } from 'elysia'
import * as v from 'valibot'
import { NewBlock } from '../../../../contract/blocks/input.ts'
import {
  collectRemovals,
  createBlock,
  updateBlock,
} from '../../../../features/content-blocks/index.ts'
import type { Removal } from '../../../../lib/html/removals.ts'
import { parseInput } from '../../../../lib/parse.ts'
import { eventOptions } from '../../../components/form/event-options.ts'
import {
  type Conflict,
  conflictStatus,
  keepsBoth,
  retryAfterChange,
} from '../../../components/form/text-conflicts.tsx'
import { layout, PageHeader } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { replaceEmojiCodes } from '../../../http/emoji-codes.ts'
import type { Flash } from '../../../http/forms/csrf-and-flash.ts'
import { blank, shownVersion } from '../../../http/forms/form-data.ts'
import {
  editorsWithFile,
  ImageForm,
  readImage,
  splitImage,
} from '../../../http/forms/image-form.ts'
import { once } from '../../../http/forms/once.ts'
import { failure, redirect, success } from '../../../http/responses.ts'
import type { Translate } from '../../../locales/index.ts'
import { AiDraftPanel } from '../ai-drafts/panel.tsx'
import { loadBlock } from '../load-block.ts'
import { BlockEditor, emptyBlock } from './block-editor.tsx'
import {
  fieldsOf,
  findBlockConflicts,
  mergedValues,
  withoutGaps,
  withTheirValues,
} from './conflicts.ts'

const { title, body, block_type, event_slug, image_size, author, source_url, publish_after } =
  NewBlock.entries

/** The value of a `datetime-local` field in UTC. */
const utcDateTime = v.pipe(
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
  ...ImageForm.entries,
  image_size: blank(image_size),
  author: blank(author),
  source_url: blank(source_url),
  publish_after: utcDateTime,
})

const scripts = [
  'purify.js',
  'squire.js',
  'editor-toolbar.js',
  'editor.js',
  'image-field.js',
] as const

/** Scripts that the editor loads after the page, and the one that it loads on use. */
const laterScripts = ['pasted-content.js', 'editor-markdown.js', 'editor-image.js'] as const

interface NewBlockPage {
  submitted?: SubmittedForm
  /** A message above the form, with an optional link. */
  message?: Flash
  link?: string
  status?: number
}

/** The form of a new block, with the fields for an AI draft beside it. */
export async function newBlockPage(
  context: MemberRequest,
  { submitted, message, link, status = 200 }: NewBlockPage = {},
): Promise<Response> {
  const { t } = context
  const event = context.url.searchParams.get('event') ?? ''
  const events = await eventOptions(context, event, submitted)
  return await layout(
    context,
    {
      title: t('library.new_block'),
      section: 'library',
      scripts: context.deps.drafts.available ? [...scripts, 'streamed-text.js'] : scripts,
      laterScripts,
      status,
      isCompressed: true,
    },
    <>
      <PageHeader
        title={t('library.new_block')}
        parent={{ href: '/library', title: t('common.library') }}
      />
      {message ? (
        <p class={`notice ${message.tone}`} role="status" tabindex="-1">
          <span safe>{message.text}</span> {link ? <a href={link}>{t('library.open_it')}</a> : null}
        </p>
      ) : null}
      <div class="block-editor-layout">
        <BlockEditor
          t={t}
          context={context}
          action="/library/new"
          submitted={submitted}
          block={{ ...emptyBlock, event_slug: event }}
          events={events}
          submitLabel={t('library.add_to_the_library')}
          cancelPath="/library"
        />
        <AiDraftPanel context={context} submitted={submitted} />
      </div>
    </>,
  )
}

/** The form of a new block with its errors. */
export const showNewErrors = (context: MemberRequest, submitted: SubmittedForm) =>
  newBlockPage(context, { submitted })

async function create(context: FormRequest<typeof BlockForm>): Promise<Response> {
  const { t } = context
  const { rest, image } = splitImage(context.body)
  const block = replaceEmojiCodes(context.deps, rest)
  const imageFields = await readImage(context, image, emptyBlock)
  const { convert, removals } = collectRemovals(context.deps.bodyConversion)
  const { id } = await createBlock(context.ctx, {
    ...block,
    ...imageFields,
    convert,
    status: 'draft',
  })
  return redirect(context, `/library/${id}`, saved(t, removals, t('library.draft_saved')))
}

const mostNames = 5
const mostCharacters = 40

/** The message after a block was saved, with what sanitizing has removed from its new text. */
function saved(t: Translate, removals: readonly Removal[], message: string): { flash: Flash } {
  const removed = new Set(removals.map(({ name }) => name.slice(0, mostCharacters)))
  if (removed.size === 0) return success(message)
  const names = [...removed].slice(0, mostNames).join(', ')
  return failure(t('library.saved_without_parts', { names }))
}

async function editBlockPage(
  context: MemberRequest,
  submitted?: SubmittedForm,
  conflicts: readonly Conflict[] = [],
): Promise<Response> {
  const { t } = context
  const block = await loadBlock(context)
  const events = await eventOptions(context, block.event_slug ?? '', submitted)
  return await layout(
    context,
    {
      title: t('library.edit_page', { title: block.title }),
      section: 'library',
      scripts,
      laterScripts,
      status: conflictStatus(submitted, conflicts),
      isCompressed: true,
    },
    <>
      <PageHeader
        title={t('common.edit')}
        parent={{ href: `/library/${block.id}`, title: block.title }}
      />
      <BlockEditor
        t={t}
        context={context}
        action={`/library/${block.id}/edit`}
        submitted={submitted}
        conflicts={conflicts}
        block={block}
        events={events}
        version={block.version}
        originals={fieldsOf(block)}
        submitLabel={t('common.save')}
        cancelPath={`/library/${block.id}`}
      />
    </>,
  )
}

const EditForm = v.object({ ...BlockForm.entries, version: shownVersion })

async function edit(context: FormRequest<typeof EditForm>): Promise<Response> {
  const { t } = context
  const block = await loadBlock(context)
  const values = withoutGaps(context.values, block)
  const conflicts = findBlockConflicts(values, { block, version: context.body.version })
  if (conflicts.length > 0 && !keepsBoth(values)) {
    const shown = withTheirValues(values, block)
    return await editBlockPage(context, { values: shown, errors: [] }, conflicts)
  }
  const { version, ...form } = parseInput(EditForm, mergedValues(values, block))
  const { rest, image } = splitImage(form)
  const written = replaceEmojiCodes(context.deps, rest)
  const imageFields = await readImage(context, image, block)
  const { id, body_format, ...current } = block
  // Unchanged text keeps its format, even when it looks like another one.
  const isNew = rest.body !== current.body
  const input = {
    ...rest,
    ...(rest.title !== current.title && { title: written.title }),
    ...(isNew && { body: written.body }),
  }
  const change = { ...input, ...imageFields, ...(!isNew && { body_format }) }
  const { convert, removals } = collectRemovals(context.deps.bodyConversion)
  await updateBlock(context.ctx, { id, change, convert, expected: [block.version] })
  return redirect(context, `/library/${id}`, saved(t, isNew ? removals : [], t('common.saved')))
}

/** Routes that create and edit blocks. */
export const editPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/library/new', (context) => newBlockPage(context), { role: 'editor' })
    .post('/library/new', once(create), {
      role: editorsWithFile,
      body: BlockForm,
      renderWithErrors: showNewErrors,
    })
    .get('/library/:id/edit', (context) => editBlockPage(context), { role: 'editor' })
    .post('/library/:id/edit', (context) => retryAfterChange(() => edit(context)), {
      role: editorsWithFile,
      body: EditForm,
      renderWithErrors: editBlockPage,
    })
