import { blockTypes } from '../../../../contract/vocabulary.ts'
import { getTeamUsage } from '../../../../features/teams/index.ts'
import { blockTypeLabels } from '../../../components/block.tsx'
import { ErrorSummary, Field, Select } from '../../../components/form/form.tsx'
import { TextArea } from '../../../components/form/text-area.tsx'
import type { MemberRequest, SubmittedForm } from '../../../http/context.ts'
import { can } from '../../../roles.ts'

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
  const { t } = context
  if (!context.deps.drafts.available) {
    return can(context.member.role, 'admin') ? (
      <p class="muted">{t('library.ai_drafts_are_not_configured')}</p>
    ) : (
      ''
    )
  }
  return (
    <section class="card" aria-labelledby="draft">
      <h2 id="draft">{t('library.ai_draft')}</h2>
      <p class="muted" id="drafts-left" safe>
        {await remainingDrafts(context)}
      </p>
      <ErrorSummary submitted={submitted} exceptFields={draftFields} />
      <TextArea
        name="context"
        label={t('library.what_happened')}
        called={t('common.body')}
        hint={t('library.facts_and_names_writing')}
        rows={6}
        form="block-form"
        submitted={submitted}
      />
      <Select
        name="draft_type"
        label={t('library.type_of_the_draft')}
        options={blockTypes.map((value) => ({ value, label: t(blockTypeLabels[value]) }))}
        value="general"
        form="block-form"
        submitted={submitted}
      />
      <Field
        name="tone"
        label={t('library.tone')}
        hint={t('library.for_example_warm_or_short')}
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
        data-progress={t('library.the_draft_is_being_written')}
      >
        {t('library.write_a_draft')}
      </button>
    </section>
  )
}

/** How many AI drafts the team can still create this month. */
export async function remainingDrafts({ t, ctx, deps }: MemberRequest): Promise<string> {
  const { counters } = await getTeamUsage(ctx, deps)
  const { used, limit, unlimited } = counters.ai_generations
  if (unlimited) return t('library.the_ai_writes_a_first_draft')
  const left = Math.max(limit - used, 0)
  return t('library.drafts_are_left', { left, limit })
}
