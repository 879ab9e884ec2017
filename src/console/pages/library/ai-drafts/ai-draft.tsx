import { Elysia } from 'elysia'
import * as v from 'valibot'
import { DraftRequest } from '../../../../contract/blocks/ai-draft.ts'
import { AppError } from '../../../../lib/errors.ts'
import { statusOf } from '../../../../lib/http/index.ts'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../../http/context.ts'
import { eventStream, wantsEvents } from '../../../http/event-stream.ts'
import { blank, textOf } from '../../../http/forms/form-data.ts'
import { failure, redirect, success } from '../../../http/responses.ts'
import { newBlockPage, showNewErrors } from '../edit/new-block.tsx'
import { remainingDrafts } from './panel.tsx'

const { context, block_type, event_slug, tone } = DraftRequest.entries

const DraftForm = v.object({
  context,
  draft_type: block_type,
  event_slug: blank(event_slug),
  tone: blank(tone),
})

async function createDraft(context: FormRequest<typeof DraftForm>): Promise<Response> {
  const { t } = context
  const { context: facts, draft_type, event_slug, tone } = context.body
  const request = { context: facts, block_type: draft_type, event_slug, tone }
  const { ctx, deps } = context
  if (wantsEvents(context)) {
    return eventStream(context, async ({ send, signal }) => {
      const onPartial = (partial: { title: string; body: string }) =>
        send({ type: 'text', title: partial.title, body: partial.body })
      const { block } = await deps.drafts.create(ctx, { request, signal, onPartial })
      const message = t('library.draft_saved_as', { title: block.title })
      const left = await remainingDrafts(context)
      send({ type: 'done', path: `/library/${block.id}/edit`, message, left })
    })
  }
  try {
    const { block } = await deps.drafts.create(ctx, { request, signal: context.request.signal })
    const path = `/library/${block.id}/edit`
    const done = t('library.this_is_the_draft_check')
    if (!hasBlockText(context)) return redirect(context, path, success(done))
    return await newBlockPage(context, {
      submitted: { values: context.values, errors: [] },
      message: success(t('library.draft_saved_as', { title: block.title })).flash,
      link: path,
    })
  } catch (error) {
    const isExpected =
      error instanceof AppError && ['ai_limit_reached', 'ai_unavailable'].includes(error.code)
    if (!isExpected) throw error
    return await newBlockPage(context, {
      submitted: { values: context.values, errors: [] },
      message: failure(error.message).flash,
      status: statusOf[error.code],
    })
  }
}

/** True when the person has started to write a block beside the draft. */
const hasBlockText = ({ values }: MemberRequest) =>
  textOf(values, 'title').trim() !== '' || textOf(values, 'body').trim() !== ''

/** The route that creates an AI draft. */
export const aiDraftPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).post('/library/draft', createDraft, {
    role: 'editor',
    body: DraftForm,
    renderWithErrors: showNewErrors,
    timeoutSeconds: 90,
  })
