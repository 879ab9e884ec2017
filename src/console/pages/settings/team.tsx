import type { NewsletterCadence } from '../../../contract/vocabulary.ts'
import { newsletterCadences } from '../../../contract/vocabulary.ts'
import { getTeamDetails, TeamChange, updateTeam } from '../../../features/teams/index.ts'
import { recordAuditFor } from '../../audit.ts'
import { Field, Form, Select } from '../../components/form.tsx'
import { settingsScreen } from '../../components/settings.tsx'
import { action, type MemberRequest, page, type Route, type SubmittedForm } from '../../page.ts'
import { redirect, success } from '../../responses.ts'

const cadenceTitles: Record<NewsletterCadence, string> = {
  weekly: 'Weekly',
  biweekly: 'Every two weeks',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  ad_hoc: 'Whenever there is something to tell',
}

const start = page('/settings', 'admin', async (visit) => redirect(visit, '/settings/team'))

const show = page('/settings/team', 'admin', (visit) => teamScreen(visit))

async function teamScreen(visit: MemberRequest, entry?: SubmittedForm): Promise<Response> {
  const { sql, aiDraftsPerMonth } = visit.deps
  const team = await getTeamDetails(sql, visit.teamId, aiDraftsPerMonth)
  return await settingsScreen(
    visit,
    { tab: '/settings/team', title: 'Team', lead: 'What readers see at the top of every issue.' },
    <Form visit={visit} action="/settings/team" class="narrow">
      <Field name="name" label="Name" value={team.name} required maxlength={100} entry={entry} />
      <Field
        name="brand_color"
        label="Brand colour"
        hint="Heads newsletters. Text on it stays readable by itself."
        type="color"
        value={team.brandColor}
        entry={entry}
      />
      <Select
        name="newsletter_cadence"
        label="How often a newsletter goes out"
        options={newsletterCadences.map((value) => ({ value, label: cadenceTitles[value] }))}
        value={team.newsletterCadence}
        entry={entry}
      />
      <dl class="facts">
        <dt>Name for commands</dt>
        <dd>
          <code safe>{team.slug}</code>
        </dd>
        <dt>Plan</dt>
        <dd safe>{team.plan.name}</dd>
      </dl>
      <button type="submit" class="primary">
        Save
      </button>
    </Form>,
  )
}

const save = action('/settings/team', 'admin', {
  form: TeamChange,
  renderWithErrors: teamScreen,
  async handle(visit, change) {
    await updateTeam(visit.deps.sql, visit.teamId, change)
    await recordAuditFor(visit, 'team_changed')
    return redirect(visit, '/settings/team', success('Saved.'))
  },
})

/** The team's details. */
export const teamRoutes: readonly Route[] = [start, show, save]
