import * as v from 'valibot'
import { DraftRequest } from '../../../contract/ai-draft.ts'
import { getTeamDetails, getUsage } from '../../../features/teams/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { typeTitles } from '../../components/block.tsx'
import { ErrorSummary, Field, Form, Select } from '../../components/form.tsx'
import { layout, PageHead } from '../../components/screen.tsx'
import { TextArea } from '../../components/text-area.tsx'
import { blank } from '../../form-data.ts'
import { action, type MemberRequest, type Route, type SubmittedForm } from '../../page.ts'
import { failure, redirect, success } from '../../responses.ts'
import { can } from '../../roles.ts'

interface DraftAsideProps {
  visit: MemberRequest
  event?: string
  entry?: SubmittedForm | undefined
}

/** Has a model write the first words; admins hear what it takes where there is none. */
export async function DraftAside({ visit, event = '', entry }: DraftAsideProps) {
  if (!visit.deps.drafts.available) {
    return can(visit.member.role, 'admin') ? (
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
        {await allowance(visit)}
      </p>
      <Form visit={visit} action="/library/draft">
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

const draft = action('/library/draft', 'editor', {
  timeoutSeconds: 90,
  form: DraftForm,
  async renderWithErrors(visit, entry) {
    return await layout(
      visit,
      { title: 'New block', section: 'library' },
      <>
        <PageHead title="New block" />
        <div class="narrow">
          <DraftAside visit={visit} entry={entry} />
        </div>
      </>,
    )
  },
  async handle(visit, { context, draft_type, event, tone }) {
    const request = { context, block_type: draft_type, event_slug: event, tone }
    const writer = { teamId: visit.teamId, keyId: null }
    try {
      const { signal } = visit.request
      const { block } = await visit.deps.drafts.create(writer, request, null, signal)
      const done = 'Here is a draft. Check every fact before you approve it.'
      return redirect(visit, `/library/${block.id}/edit`, success(done))
    } catch (error) {
      const known =
        error instanceof AppError && ['ai_limit_reached', 'ai_unavailable'].includes(error.code)
      if (!known) throw error
      return redirect(visit, '/library/new', failure(error.message))
    }
  },
})

/** First drafts by a model. */
export const draftRoutes: readonly Route[] = [draft]
