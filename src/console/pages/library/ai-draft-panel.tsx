import { getTeamDetails, getUsage } from '../../../features/teams/index.ts'
import { blockTypeLabels } from '../../components/block.tsx'
import { ErrorSummary, Field, Select } from '../../components/form/form.tsx'
import { TextArea } from '../../components/form/text-area.tsx'
import type { MemberRequest, SubmittedForm } from '../../http/context.ts'
import { can } from '../../roles.ts'

const draftFields = ['context', 'tone', 'draft_type', 'event_slug']

interface AiDraftPanelProps {
  context: MemberRequest
  submitted?: SubmittedForm | undefined
}

/**
 * The fields for an AI draft beside the form of a new block. They belong to that form, so that no text is
 * lost when the draft fails.
 */
export async function AiDraftPanel({ context, submitted }: AiDraftPanelProps) {
  if (!context.deps.drafts.available) {
    return can(context.member.role, 'admin') ? (
      <p class="muted">
        AI drafts are not configured. An operator can set AI_BASE_URL and AI_MODEL.
      </p>
    ) : (
      ''
    )
  }
  return (
    <section class="card" aria-labelledby="draft">
      <h2 id="draft">AI draft</h2>
      <p class="muted" safe>
        {await remainingDrafts(context)}
      </p>
      <ErrorSummary submitted={submitted} exceptFields={draftFields} />
      <TextArea
        name="context"
        label="What happened"
        hint="Facts and names. Writing the draft can take half a minute."
        rows={6}
        form="block-form"
        submitted={submitted}
      />
      <Select
        name="draft_type"
        label="Type of the draft"
        options={Object.entries(blockTypeLabels).map(([value, label]) => ({ value, label }))}
        value="general"
        form="block-form"
        submitted={submitted}
      />
      <Field
        name="tone"
        label="Tone"
        hint="For example: warm, or short and factual."
        form="block-form"
        submitted={submitted}
      />
      <button
        type="submit"
        form="block-form"
        formaction="/library/draft"
        formenctype="application/x-www-form-urlencoded"
        formnovalidate
        data-stream
        data-progress="The draft is being written. This can take half a minute."
      >
        Write a draft
      </button>
    </section>
  )
}

/** How many AI drafts the team can still create this month. */
async function remainingDrafts({ ctx, deps }: MemberRequest): Promise<string> {
  const { aiDraftsPerMonth, countNewsletters } = deps
  const team = await getTeamDetails(ctx, aiDraftsPerMonth)
  const { counters } = await getUsage(ctx, team, countNewsletters)
  const { used, limit, unlimited } = counters.ai_generations
  if (unlimited) return 'The AI writes a first draft; a person reviews it.'
  const left = Math.max(limit - used, 0)
  return `${left} of ${limit} drafts are left this month.`
}
