import { Elysia } from 'elysia'
import { chooseTeam } from '../../features/sessions/index.ts'
import { createOwnTeam, OwnTeam } from '../../features/setup/index.ts'
import { notFound } from '../../lib/errors.ts'
import { Field, Form } from '../components/form/form.tsx'
import { layout, PageHeader } from '../components/layout/layout.tsx'
import { access } from '../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest, SubmittedForm } from '../http/context.ts'
import { once } from '../http/forms/once.ts'
import { redirect, success } from '../http/responses.ts'
import { newTeamLanguage } from '../http/user-locale.ts'
import { mayCreateTeams } from '../may-create-teams.ts'

async function page(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  if (!mayCreateTeams(context)) throw notFound('This page')
  const { t } = context
  return await layout(
    context,
    { title: t('teams.new_team'), section: null },
    <div class="narrow">
      <PageHeader title={t('teams.new_team')} lead={t('teams.new_team_lead')} />
      <Form context={context} action="/teams/new" draft>
        <Field
          name="name"
          label={t('common.name')}
          required
          maxlength={100}
          submitted={submitted}
        />
        <button type="submit" class="primary">
          {t('teams.create')}
        </button>
      </Form>
    </div>,
  )
}

async function create(context: FormRequest<typeof OwnTeam>): Promise<Response> {
  if (!mayCreateTeams(context)) throw notFound('This page')
  const { ctx, signedIn, address, request, body, t } = context
  const { account, sessionId } = signedIn
  const language = newTeamLanguage(request)
  const team = await createOwnTeam(ctx, { name: body.name, language, account, address })
  await chooseTeam(ctx, { sessionId, teamId: team.id })
  return redirect(context, '/welcome', success(t('teams.is_created', { name: team.name })))
}

/** Routes of the page that creates a team. */
export const newTeamPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/teams/new', (context) => page(context), { role: 'viewer' })
    .post('/teams/new', once(create), { role: 'viewer', body: OwnTeam, renderWithErrors: page })
