import { Elysia } from 'elysia'
import * as v from 'valibot'
import { singleLineText } from '../../../contract/text.ts'
import { chooseTimeZone, renameAccount, setLanguage } from '../../../features/accounts/index.ts'
import { chooseTeam } from '../../../features/sessions/index.ts'
import { notFound } from '../../../lib/errors.ts'
import { Field, Form } from '../../components/form/form.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import { clientOf } from '../../http/client.ts'
import {
  accountContext,
  type ConsoleDeps,
  type FormRequest,
  type MemberRequest,
  type SubmittedForm,
} from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'
import { SecondFactorSummary } from '../second-factor/overview.tsx'
import { ChatAccountList } from './chat-accounts.tsx'
import {
  NotificationForm,
  NotificationInput,
  ShortcutsInput,
  saveNotifications,
  saveShortcuts,
} from './notifications.tsx'
import { ChangePasswordForm, changePassword, PasswordForm } from './password.tsx'
import {
  ChosenLanguage,
  ChosenTimeZone,
  LanguageChoice,
  ReportedTimeZone,
  saveReportedTimeZone,
  TimeZoneChoice,
  translateInto,
} from './preferences.tsx'
import { SessionList } from './sessions.tsx'

async function accountPage(context: MemberRequest, submitted?: SubmittedForm): Promise<Response> {
  const { t } = context
  const { account } = context.signedIn
  const { role, team_name } = context.member
  const aboutPassword = submitted && 'current' in submitted.values ? submitted : undefined
  const aboutProfile = aboutPassword ? undefined : submitted
  return await layout(
    context,
    { title: t('account.your_account'), section: 'account' },
    <div class="narrow">
      <PageHeader title={t('account.your_account')} />
      <section aria-labelledby="profile">
        <h2 id="profile">{t('account.profile')}</h2>
        <dl class="details-list">
          <dt>{t('common.email')}</dt>
          <dd safe>{account.email}</dd>
          <dt safe>{t('account.in', { team_name })}</dt>
          <dd safe>{`${t(`role.${role}`)}: ${t(`role_hint.${role}`)}`}</dd>
        </dl>
        <Form context={context} action="/account" draft>
          <Field
            name="name"
            label={t('common.name')}
            value={account.name}
            autocomplete="name"
            required
            maxlength={100}
            submitted={aboutProfile}
          />
          <LanguageChoice context={context} submitted={aboutProfile} />
          <TimeZoneChoice context={context} submitted={aboutProfile} />
          <button type="submit">{t('common.save')}</button>
        </Form>
      </section>
      <hr />
      <NotificationForm context={context} />
      <hr />
      {context.deps.passwordSignIn ? (
        <>
          <PasswordForm context={context} submitted={aboutPassword} />
          <hr />
          <SecondFactorSummary context={context} />
          <hr />
        </>
      ) : null}
      <ChatAccountList context={context} />
      <SessionList context={context} />
    </div>,
  )
}

const ProfileForm = v.object({
  name: singleLineText(100),
  language: v.exactOptional(ChosenLanguage),
  time_zone: v.exactOptional(ChosenTimeZone),
})

async function saveProfile(context: FormRequest<typeof ProfileForm>): Promise<Response> {
  const { name, language, time_zone } = context.body
  const ctx = accountContext(context)
  if (name !== context.signedIn.account.name) await renameAccount(ctx, name)
  if (time_zone !== undefined) await chooseTimeZone(ctx, time_zone || null)
  if (language !== undefined) await setLanguage(ctx, language || null)
  const t = language === undefined ? context.t : translateInto(context, language || null)
  return redirect(context, '/account', success(t('common.saved')))
}

async function signOutEverywhere(context: MemberRequest): Promise<Response> {
  const { t } = context
  const { sessions } = context.deps
  const cookies = await sessions.signOutEverywhere(clientOf(context), context.signedIn.account.id)
  return redirect(context, '/login', {
    ...success(t('account.you_are_signed_out_everywhere')),
    cookies,
  })
}

const SwitchTeamForm = v.object({ team: v.string() })

async function switchTeam(context: FormRequest<typeof SwitchTeamForm>): Promise<Response> {
  const { team } = context.body
  if (!context.memberships.some(({ team_id }) => team_id === team)) throw notFound('This team')
  await chooseTeam(context.deps, { sessionId: context.signedIn.sessionId, teamId: team })
  return redirect(context, '/library')
}

/** Routes of the account page. */
export const accountPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .get('/account', (context) => accountPage(context), { role: 'viewer' })
    .post('/account', saveProfile, {
      role: 'viewer',
      body: ProfileForm,
      renderWithErrors: accountPage,
    })
    .post('/account/time-zone', saveReportedTimeZone, { role: 'viewer', body: ReportedTimeZone })
    .post('/account/notifications', saveNotifications, { role: 'viewer', body: NotificationInput })
    .post('/account/shortcuts', saveShortcuts, { role: 'viewer', body: ShortcutsInput })
    .post('/account/password', changePassword, {
      role: 'viewer',
      body: ChangePasswordForm,
      renderWithErrors: accountPage,
    })
    .post('/account/sign-out-everywhere', signOutEverywhere, { role: 'viewer' })
    .post('/account/team', switchTeam, { role: 'viewer', body: SwitchTeamForm })
