import { getTeamDetails, getUsage } from '../../../features/teams/index.ts'
import { typeTitles } from '../../components/block.tsx'
import { ErrorSummary, Field, Select } from '../../components/form.tsx'
import { TextArea } from '../../components/text-area.tsx'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'
import { can } from '../../roles.ts'

const draftFields = ['context', 'tone', 'draft_type', 'event_slug']

interface DraftAsideProps {
  context: MemberRequest
  entry?: SubmittedForm | undefined
}

/**
 * The form for an AI draft, beside the form of a new block. Its fields belong to that form, so that
 * what was typed there stays, whatever happens to the draft.
 */
export async function DraftAside({ context, entry }: DraftAsideProps) {
  if (!context.deps.drafts.available) {
    return can(context.member.role, 'admin') ? (
      <p class="quiet">
        AI drafts are not configured. An operator can set AI_BASE_URL and AI_MODEL.
      </p>
    ) : (
      ''
    )
  }
  return (
    <section class="card" aria-labelledby="draft">
      <h2 id="draft">AI draft</h2>
      <p class="quiet" safe>
        {await remainingDrafts(context)}
      </p>
      <ErrorSummary entry={entry} but={draftFields} />
      <TextArea
        name="context"
        label="What happened"
        hint="Facts and names. Writing the draft can take half a minute."
        rows={6}
        form="block-form"
        entry={entry}
      />
      <Select
        name="draft_type"
        label="Type of the draft"
        options={Object.entries(typeTitles).map(([value, label]) => ({ value, label }))}
        value="general"
        form="block-form"
        entry={entry}
      />
      <Field
        name="tone"
        label="Tone"
        hint="For example: warm, or short and factual."
        form="block-form"
        entry={entry}
      />
      <button
        type="submit"
        form="block-form"
        formaction="/library/draft"
        formnovalidate
        data-progress="The draft is being written. This can take half a minute."
      >
        Write a draft
      </button>
    </section>
  )
}

/** How many AI drafts the team can still create this month. */
async function remainingDrafts({ deps, teamId }: MemberRequest): Promise<string> {
  const { sql, now, aiDraftsPerMonth, countNewsletters } = deps
  const team = await getTeamDetails(sql, teamId, aiDraftsPerMonth)
  const { counters } = await getUsage(sql, now(), team, countNewsletters)
  const { used, limit, unlimited } = counters.ai_generations
  if (unlimited) return 'The AI writes a first draft; a person reviews it.'
  const left = Math.max(limit - used, 0)
  return `${left} of ${limit} drafts are left this month.`
}
