import * as v from 'valibot'
import { DraftRequest } from '../../../contract/ai-draft.ts'
import { getTeamDetails, getUsage } from '../../../features/teams/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { bad, good, redirect } from '../../answers.ts'
import { blank } from '../../form-data.ts'
import { action, type Entry, type Route, type Visit } from '../../page.ts'
import { typeTitles } from '../../parts/block.tsx'
import { Faults, Field, Form, Select } from '../../parts/form.tsx'
import { PageHead, screen } from '../../parts/screen.tsx'
import { TextArea } from '../../parts/text-area.tsx'
import { can } from '../../roles.ts'

interface DraftAsideProps {
  visit: Visit
  event?: string
  entry?: Entry | undefined
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
        <Faults entry={entry} but={['context', 'tone', 'draft_type']} />
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
async function allowance({ deps, teamId }: Visit): Promise<string> {
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
  async again(visit, entry) {
    return await screen(
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
  async act(visit, { context, draft_type, event, tone }) {
    const request = { context, block_type: draft_type, event_slug: event, tone }
    const writer = { teamId: visit.teamId, keyId: null }
    try {
      const { signal } = visit.request
      const { block } = await visit.deps.drafts.create(writer, request, null, signal)
      const done = 'Here is a draft. Check every fact before you approve it.'
      return redirect(visit, `/library/${block.id}/edit`, good(done))
    } catch (error) {
      const known =
        error instanceof AppError && ['ai_limit_reached', 'ai_unavailable'].includes(error.code)
      if (!known) throw error
      return redirect(visit, '/library/new', bad(error.message))
    }
  },
})

/** First drafts by a model. */
export const draftRoutes: readonly Route[] = [draft]
