import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { ContentBlock } from '../../../../contract/blocks/content-block.ts'
import { NewBlock } from '../../../../contract/blocks/input.ts'
import type { Suggestion } from '../../../../features/ai-drafts/index.ts'
import { acceptSuggestion, restoreOriginal } from '../../../../features/content-blocks/index.ts'
import { undoOnError } from '../../../../lib/database/db.ts'
import { AppError } from '../../../../lib/errors.ts'
import { statusOf } from '../../../../lib/http/index.ts'
import { BlockBody } from '../../../components/block.tsx'
import { Form } from '../../../components/form/form.tsx'
import { layout, PageHeader } from '../../../components/layout/layout.tsx'
import { access } from '../../../http/access.ts'
import type {
  ConsoleDeps,
  FormRequest,
  MemberRequest,
  SubmittedForm,
} from '../../../http/context.ts'
import { eventStream, wantsEvents } from '../../../http/event-stream.ts'
import { shownVersion } from '../../../http/forms/form-data.ts'
import { once, withoutChange } from '../../../http/forms/once.ts'
import { failure, redirect, success } from '../../../http/responses.ts'
import { loadBlock } from '../load-block.ts'
import { Comparison, suggestionPath } from './comparison.tsx'

/** The link to a suggestion, for a block that nobody has edited. A suggestion would drop its images. */
export function SuggestionLink({
  context,
  block,
}: {
  context: MemberRequest
  block: ContentBlock
}) {
  const isUnedited = block.version === 1 && block.status !== 'used'
  if (!context.deps.drafts.available || !isUnedited || /<img\b/i.test(block.body)) return ''
  return (
    <a class="button" href={suggestionPath(block)}>
      {context.t('suggestion.suggest_a_text')}
    </a>
  )
}

interface SuggestionPage {
  block: ContentBlock
  suggestion?: Suggestion
  error?: AppError
}

async function suggestionPage(
  context: MemberRequest,
  { block, suggestion, error }: SuggestionPage,
): Promise<Response> {
  const { title, body, body_format } = block
  const { t } = context
  return await layout(
    context,
    {
      title: t('suggestion.title', { title }),
      section: 'library',
      scripts: ['streamed-text.js'],
      status: error ? statusOf[error.code] : 200,
    },
    <>
      <PageHeader title={t('suggestion.suggest_a_text')} lead={t('suggestion.lead')}>
        <a class="button" href={`/library/${block.id}`}>
          {t('suggestion.keep_the_present_text')}
        </a>
      </PageHeader>
      {error ? (
        <p class="notice danger" role="alert" safe>
          {t.fromEnglish(error.message)}
        </p>
      ) : null}
      <div class="narrow">
        <section class="card" aria-labelledby="present">
          <h2 id="present">{t('suggestion.present_text')}</h2>
          <h3 safe>{title}</h3>
          <BlockBody t={t} body={body} format={body_format} />
        </section>
        <div id="suggestion" aria-live="polite">
          {suggestion ? (
            <Comparison context={context} block={block} suggestion={suggestion} />
          ) : null}
        </div>
        <Form context={context} action={suggestionPath(block)}>
          <button
            type="submit"
            class={suggestion ? undefined : 'primary'}
            data-events="#suggestion"
          >
            {suggestion ? t('suggestion.suggest_another') : t('suggestion.suggest_a_text')}
          </button>
        </Form>
      </div>
    </>,
  )
}

async function show(context: MemberRequest): Promise<Response> {
  return await suggestionPage(context, { block: await loadBlock(context) })
}

/** The page after a form that no browser sends. */
async function showInvalid(context: MemberRequest, { errors }: SubmittedForm): Promise<Response> {
  const block = await loadBlock(context)
  const reason = errors.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`).join(', ')
  const message = context.t('suggestion.cannot_be_saved', { reason })
  const error = new AppError('validation_failed', message)
  return await suggestionPage(context, { block, error })
}

async function suggest(context: MemberRequest): Promise<Response> {
  const { ctx, deps, request } = context
  const block = await loadBlock(context)
  if (wantsEvents(context)) {
    return eventStream(context, async ({ send, signal }) => {
      const onPartial = ({ title, body }: Suggestion) => send({ type: 'text', title, body })
      const suggestion = await deps.drafts.suggest(ctx, { block, signal, onPartial })
      const html = await (<Comparison context={context} block={block} suggestion={suggestion} />)
      send({ type: 'html', html })
    })
  }
  try {
    const suggestion = await deps.drafts.suggest(ctx, { block, signal: request.signal })
    return await suggestionPage(context, { block, suggestion })
  } catch (error) {
    if (!(error instanceof AppError && error.code.startsWith('ai_'))) throw error
    return await suggestionPage(context, { block, error })
  }
}

const { title, body } = NewBlock.entries
const AcceptForm = v.object({ title, body, version: shownVersion })

async function accept(context: FormRequest<typeof AcceptForm>): Promise<Response> {
  const { id } = await loadBlock(context)
  return await saveUnlessChanged(context, id, context.t('suggestion.saved'), () =>
    acceptSuggestion(context.ctx, { id, ...context.body }),
  )
}

const RestoreForm = v.object({ version: shownVersion })

async function restore(context: FormRequest<typeof RestoreForm>): Promise<Response> {
  const { id } = await loadBlock(context)
  return await saveUnlessChanged(context, id, context.t('suggestion.original_is_back'), () =>
    restoreOriginal(context.ctx, { id, ...context.body }),
  )
}

/** Saves a text, unless somebody else has changed the block meanwhile. */
async function saveUnlessChanged(
  context: MemberRequest,
  id: string,
  done: string,
  save: () => Promise<void>,
): Promise<Response> {
  try {
    await undoOnError(context.ctx.sql, save)
    return redirect(context, `/library/${id}`, success(done))
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'version_mismatch')) throw error
    const message = context.t('suggestion.changed_meanwhile')
    return withoutChange(redirect(context, `/library/${id}`, failure(message)))
  }
}

/** Routes of the suggestion of a text. */
export const suggestionPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/library/:id/suggestion', show, { role: 'editor' })
    .post('/library/:id/suggestion', suggest, { role: 'editor', timeoutSeconds: 90 })
    .post('/library/:id/suggestion/accept', once(accept), {
      role: 'editor',
      body: AcceptForm,
      renderWithErrors: showInvalid,
    })
    .post('/library/:id/original', once(restore), {
      role: 'editor',
      body: RestoreForm,
      renderWithErrors: showInvalid,
    })
