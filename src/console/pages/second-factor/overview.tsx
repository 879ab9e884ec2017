import { Elysia } from 'elysia'
import { listSecondFactors, type SecondFactors } from '../../../features/sessions/index.ts'
import { attribute } from '../../attribute.ts'
import { DateTime } from '../../components/dates/date-time.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { Translate } from '../../locales/index.ts'

/** The address of the page about second factors. */
export const secondFactorPath = '/account/second-factor'

/** The summary on the page of the account. */
export function SecondFactorSummary({ context }: { context: MemberRequest }) {
  const { t } = context
  return (
    <section aria-labelledby="second-factor">
      <h2 id="second-factor">{t('second_factor.second_factor')}</h2>
      <p>
        {context.signedIn.hasSecondFactor
          ? t('second_factor.on_signing_in_takes_more')
          : t('second_factor.off_whoever_knows_your_password')}
      </p>
      <a class="button" href={secondFactorPath}>
        {context.signedIn.hasSecondFactor ? t('second_factor.manage') : t('second_factor.set_up')}
      </a>
    </section>
  )
}

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const factors = await listSecondFactors(context.deps, context.signedIn.account.id)
  return await layout(
    context,
    { title: t('second_factor.second_factor'), section: 'account' },
    <div class="narrow">
      <PageHeader
        title={t('second_factor.second_factor')}
        lead={t('second_factor.with_a_second_factor_nobody')}
        parent={{ href: '/account', title: t('account.your_account') }}
      />
      <RequiredNotice context={context} />
      <AuthenticatorSection t={t} factors={factors} />
      {context.deps.sessions.canUsePasskeys || factors.passkeys.length > 0 ? (
        <PasskeySection context={context} factors={factors} />
      ) : null}
      {context.signedIn.hasSecondFactor ? <BackupCodeSection t={t} /> : null}
    </div>,
  )
}

function RequiredNotice({ context: { signedIn, member, t } }: { context: MemberRequest }) {
  if (signedIn.hasSecondFactor || !member.team_requires_second_factor) return ''
  return (
    <p class="notice" safe>
      {t('second_factor.requires_a_second_factor_set', { team_name: member.team_name })}
    </p>
  )
}

function AuthenticatorSection({
  t,
  factors: { hasAuthenticator },
}: {
  t: Translate
  factors: SecondFactors
}) {
  return (
    <section aria-labelledby="authenticator">
      <h2 id="authenticator">{t('second_factor.authenticator_app')}</h2>
      <p>{t('second_factor.an_app_on_your_phone')}</p>
      {hasAuthenticator ? (
        <p class="row">
          <span class="badge success">{t('second_factor.set_up')}</span>
          <a class="button small danger" href={`${secondFactorPath}/authenticator/remove`}>
            {t('second_factor.remove_the_app')}
          </a>
        </p>
      ) : (
        <a class="button" href={`${secondFactorPath}/authenticator`}>
          {t('second_factor.set_up_an_app')}
        </a>
      )}
    </section>
  )
}

function PasskeySection({
  context,
  factors: { passkeys },
}: {
  context: MemberRequest
  factors: SecondFactors
}) {
  const { t } = context
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">{t('second_factor.passkeys')}</h2>
      <p>{t('second_factor.sign_in_with_your_fingerprint')}</p>
      {passkeys.length > 0 ? (
        <ul class="sessions">
          {passkeys.map(({ id, name, created_at }) => (
            <li>
              <div>
                <strong safe>{name ?? t('second_factor.passkey')}</strong>
                <br />
                <span class="muted">
                  {t.html('second_factor.since', {
                    date: () => <DateTime userLocale={context.userLocale} at={created_at} />,
                  })}
                </span>
              </div>
              <a
                class="button small danger"
                href={`/account/passkeys/${id}/remove`}
                aria-label={t('second_factor.remove_passkey_name', { name: attribute(name ?? '') })}
              >
                {t('common.remove')}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {context.deps.sessions.canUsePasskeys ? (
        <a class="button" href="/account/passkeys/new">
          {t('second_factor.add_a_passkey')}
        </a>
      ) : null}
    </section>
  )
}

function BackupCodeSection({ t }: { t: Translate }) {
  return (
    <section aria-labelledby="backup-codes">
      <h2 id="backup-codes">{t('second_factor.backup_codes')}</h2>
      <p>{t('second_factor.each_code_signs')}</p>
      <a class="button" href={`${secondFactorPath}/backup-codes`}>
        {t('second_factor.create_new_codes')}
      </a>
    </section>
  )
}

/** Routes of the page about second factors. */
export const secondFactorOverviewPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get(secondFactorPath, show, { role: 'viewer' })
