import { Elysia } from 'elysia'
import { collectRemovals, createBlock } from '../../../../features/content-blocks/index.ts'
import { eventOptions } from '../../../components/form/event-options.ts'
import { layout, PageHeader } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { replaceEmojiCodesInForm } from '../../../http/emoji-codes.ts'
import type { Flash } from '../../../http/forms/csrf-and-flash.ts'
import { editorsWithFile, readImage, splitImage } from '../../../http/forms/image-form.ts'
import { once } from '../../../http/forms/once.ts'
import { redirect } from '../../../http/responses.ts'
import { AiDraftPanel } from '../ai-drafts/panel.tsx'
import { BlockEditor, emptyBlock } from './block-editor.tsx'
import { BlockForm, editorScripts, laterEditorScripts, savedFlash } from './block-form.ts'

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
      scripts: context.deps.drafts.available
        ? [...editorScripts, 'streamed-text.js']
        : editorScripts,
      laterScripts: laterEditorScripts,
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
  const block = replaceEmojiCodesInForm(context.deps, rest)
  const imageFields = await readImage(context, image, emptyBlock)
  const { convert, removals } = collectRemovals(context.deps.bodyConversion)
  const { id } = await createBlock(context.ctx, {
    ...block,
    ...imageFields,
    convert,
    status: 'draft',
  })
  return redirect(context, `/library/${id}`, savedFlash(t, removals, t('library.draft_saved')))
}

/** Routes that create blocks. */
export const newBlockPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/library/new', (context) => newBlockPage(context), { role: 'editor' })
    .post('/library/new', once(create), {
      role: editorsWithFile,
      body: BlockForm,
      renderWithErrors: showNewErrors,
    })
