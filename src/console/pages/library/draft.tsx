import { Elysia } from 'elysia'
import * as v from 'valibot'
import { DraftRequest } from '../../../contract/ai-draft.ts'
import { getTeamDetails, getUsage } from '../../../features/teams/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { typeTitles } from '../../components/block.tsx'
import { ErrorSummary, Field, Form, Select } from '../../components/form.tsx'
import { layout, PageHead } from '../../components/screen.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../../http/context.ts'
import { blank } from '../../http/form-data.ts'
import { failure, redirect, success } from '../../http/responses.ts'
import { can } from '../../roles.ts'

interface DraftAsideProps {
  context: MemberRequest
  event?: string
  entry?: SubmittedForm | undefined
}

/** Has a model write the first words; admins hear what it takes where there is none. */
export async function DraftAside({ context, event = '', entry }: DraftAsideProps) {
  if (!context.deps.drafts.available) {
    return can(context.member.role, 'admin') ? (
      <p class="quiet">
        A model can write first drafts here, once an operator sets AI_BASE_URL and AI_MODEL.
      </p>
    ) : (
      ''
    )
  }
  return (
    <section class="card" aria-labelledby="draft">
      <h2 id="draft">Have it drafted</h2>
      <p class="quiet" safe>
        {await allowance(context)}
      </p>
      <Form context={context} action="/library/draft">
        <ErrorSummary entry={entry} but={['context', 'tone', 'draft_type']} />
        <TextArea
          name="context"
          label="What happened"
          hint="Facts and names, as you know them. It may take half a minute."
          rows={6}
          required
          entry={entry}
        />
        <Select
          name="draft_type"
          label="Kind of draft"
          options={Object.entries(typeTitles).map(([value, label]) => ({ value, label }))}
          value="general"
          entry={entry}
        />
        <Field name="tone" label="Tone" hint="As in warm, or short and dry." entry={entry} />
        <input type="hidden" name="event" value={event} />
        <button type="submit">Write a draft</button>
      </Form>
    </section>
  )
}

/** What is left of the month's drafts, as a sentence. */
async function allowance({ deps, teamId }: MemberRequest): Promise<string> {
  const { sql, now, aiDraftsPerMonth, countNewsletters } = deps
  const team = await getTeamDetails(sql, teamId, aiDraftsPerMonth)
  const { counters } = await getUsage(sql, now(), team, countNewsletters)
  const { used, limit, unlimited } = counters.ai_generations
  if (unlimited) return 'A model writes, you review.'
  const left = Math.max(limit - used, 0)
  return `${left} of ${limit} drafts are left this month.`
}

const { context, block_type, event_slug, tone } = DraftRequest.entries

const DraftForm = v.object({
  context,
  draft_type: block_type,
  event: blank(event_slug),
  tone: blank(tone),
})

async function draft(context: FormRequest<typeof DraftForm>): Promise<Response> {
  const { context: facts, draft_type, event, tone } = context.body
  const request = { context: facts, block_type: draft_type, event_slug: event, tone }
  const writer = { teamId: context.teamId, keyId: null }
  try {
    const { signal } = context.request
    const { block } = await context.deps.drafts.create(writer, request, null, signal)
    const done = 'Here is a draft. Check every fact before you approve it.'
    return redirect(context, `/library/${block.id}/edit`, success(done))
  } catch (error) {
    const known =
      error instanceof AppError && ['ai_limit_reached', 'ai_unavailable'].includes(error.code)
    if (!known) throw error
    return redirect(context, '/library/new', failure(error.message))
  }
}

async function draftAgain(context: MemberRequest, entry: SubmittedForm): Promise<Response> {
  return await layout(
    context,
    { title: 'New block', section: 'library' },
    <>
      <PageHead title="New block" />
      <div class="narrow">
        <DraftAside context={context} entry={entry} />
      </div>
    </>,
  )
}

/** First drafts by a model. */
export const draftPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).post('/library/draft', draft, {
    role: 'editor',
    body: DraftForm,
    renderWithErrors: draftAgain,
    timeoutSeconds: 90,
  })
