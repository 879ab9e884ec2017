import { Elysia } from 'elysia'
import { consumeLoginAttempt } from '../../../features/login-throttle/index.ts'
import { completeSetup, requireSetup, Setup } from '../../../features/setup/index.ts'
import { listTeams } from '../../../features/teams/index.ts'
import { ColorChoice } from '../../components/form/color-choice.tsx'
import { ErrorSummary, Field, Form } from '../../components/form/form.tsx'
import { bareLayout } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import type { ConsoleDeps, ConsoleRequest, FormRequest, SubmittedForm } from '../../http/context.ts'
import { onceSignedOut } from '../../http/forms/once-signed-out.ts'
import { redirect } from '../../http/responses.ts'
import { newTeamLanguage } from '../../http/user-locale.ts'

async function show(context: ConsoleRequest): Promise<Response> {
  await requireSetup(context.deps, tokenOf(context))
  return await setupPage(context)
}

async function setupPage(context: ConsoleRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const [team] = await listTeams(context.deps.sql)
  return await bareLayout(
    context,
    { title: t('setup.set_up') },
    <>
      <h1>{t('setup.set_up_tidings')}</h1>
      <p class="lead">{t('setup.create_the_account')}</p>
      <ErrorSummary
        submitted={submitted}
        exceptFields={['team', 'brand_color', 'name', 'email', 'password']}
      />
      <Form context={context} action={`/setup/${encodeURIComponent(tokenOf(context))}`} draft>
        {team ? (
          <p class="notice">
            {t.html('setup.you_become_an_admin_of', {
              bold: () => <strong safe>{team.name}</strong>,
            })}
          </p>
        ) : (
          <Field
            name="team"
            label={t('setup.team')}
            hint={t('setup.the_name_that_readers_know')}
            required
            submitted={submitted}
          />
        )}
        <ColorChoice t={t} submitted={submitted} />
        <Field
          name="name"
          label={t('setup.your_name')}
          autocomplete="name"
          required
          submitted={submitted}
        />
        <Field
          name="email"
          label={t('common.email')}
          type="email"
          autocomplete="username"
          required
          submitted={submitted}
        />
        <Field
          name="password"
          label={t('common.password')}
          type="password"
          hint={t('setup.at_least_8_characters')}
          autocomplete="new-password"
          minlength={8}
          maxlength={128}
          required
          submitted={submitted}
        />
        <button type="submit" class="button primary full-width">
          {t('setup.set_up')}
        </button>
      </Form>
    </>,
  )
}

async function send(context: FormRequest<typeof Setup, ConsoleRequest>): Promise<Response> {
  const input = context.body
  const { deps, address } = context
  await requireSetup(deps, tokenOf(context))
  const { email, password } = input
  await consumeLoginAttempt(deps, { action: 'set up', email, address })
  await completeSetup(deps, {
    token: tokenOf(context),
    address,
    setup: input,
    language: newTeamLanguage(context.request),
  })
  const { cookies } = await deps.sessions.signIn(clientOf(context), { email, password })
  return redirect(context, '/welcome', { cookies })
}

const tokenOf = ({ params }: ConsoleRequest) => params['token'] ?? ''

/** The page on which the first account is created. */
export const setupPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/setup/:token', show, { public: true })
    .post('/setup/:token', onceSignedOut(send), {
      public: true,
      body: Setup,
      renderWithErrors: setupPage,
    })
