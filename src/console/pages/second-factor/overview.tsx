import { Elysia } from 'elysia'
import { listSecondFactors, type SecondFactors } from '../../../features/sessions/index.ts'
import { attribute } from '../../attribute.ts'
import { DateTime } from '../../components/date-time.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'

/** The address of the page about second factors. */
export const secondFactorPath = '/account/second-factor'

/** The summary on the page of the account. */
export function SecondFactorSummary({ context }: { context: MemberRequest }) {
  return (
    <section aria-labelledby="second-factor">
      <h2 id="second-factor">Second factor</h2>
      <p>
        {context.signedIn.hasSecondFactor
          ? 'On: signing in takes more than your password.'
          : 'Off: whoever knows your password can sign in.'}
      </p>
      <a class="button" href={secondFactorPath}>
        {context.signedIn.hasSecondFactor ? 'Manage' : 'Set up'}
      </a>
    </section>
  )
}

async function show(context: MemberRequest): Promise<Response> {
  const factors = await listSecondFactors(context.deps, context.signedIn.account.id)
  return await layout(
    context,
    { title: 'Second factor', section: 'account' },
    <div class="narrow">
      <PageHeader
        title="Second factor"
        lead="With a second factor, nobody can sign in with your password alone."
      />
      <RequiredNotice context={context} />
      <AuthenticatorSection factors={factors} />
      {context.deps.sessions.canUsePasskeys || factors.passkeys.length > 0 ? (
        <PasskeySection context={context} factors={factors} />
      ) : null}
      {context.signedIn.hasSecondFactor ? <BackupCodeSection /> : null}
      <p>
        <a class="button" href="/account">
          Back to your account
        </a>
      </p>
    </div>,
  )
}

function RequiredNotice({ context: { signedIn, member } }: { context: MemberRequest }) {
  if (signedIn.hasSecondFactor || !member.team_requires_second_factor) return ''
  return (
    <p class="notice" safe>
      {`${member.team_name} requires a second factor. Set up one of these to go on.`}
    </p>
  )
}

function AuthenticatorSection({ factors: { hasAuthenticator } }: { factors: SecondFactors }) {
  return (
    <section aria-labelledby="authenticator">
      <h2 id="authenticator">Authenticator app</h2>
      <p>
        An app on your phone shows a new code every 30 seconds. Most password managers can do this,
        too.
      </p>
      {hasAuthenticator ? (
        <p class="row">
          <span class="badge good">Set up</span>
          <a class="button small danger" href={`${secondFactorPath}/authenticator/remove`}>
            Remove the app
          </a>
        </p>
      ) : (
        <a class="button" href={`${secondFactorPath}/authenticator`}>
          Set up an app
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
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p>
        Sign in with your fingerprint, your face or the PIN of your device, without a password. A
        passkey is the safest choice: it cannot be given to a wrong website.
      </p>
      {passkeys.length > 0 ? (
        <ul class="sessions">
          {passkeys.map(({ id, name, created_at }) => (
            <li>
              <div>
                <strong safe>{name ?? 'Passkey'}</strong>
                <br />
                <span class="muted">
                  Since <DateTime reader={context.reader} at={created_at} />
                </span>
              </div>
              <a
                class="button small danger"
                href={`/account/passkeys/${id}/remove`}
                aria-label={`Remove the passkey ${attribute(name ?? '')}`}
              >
                Remove
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {context.deps.sessions.canUsePasskeys ? (
        <a class="button" href="/account/passkeys/new">
          Add a passkey
        </a>
      ) : null}
    </section>
  )
}

function BackupCodeSection() {
  return (
    <section aria-labelledby="backup-codes">
      <h2 id="backup-codes">Backup codes</h2>
      <p>
        Each code signs you in once when you do not have your phone or your passkey. New codes
        replace all earlier ones.
      </p>
      <a class="button" href={`${secondFactorPath}/backup-codes`}>
        Create new codes
      </a>
    </section>
  )
}

/** Routes of the page about second factors. */
export const secondFactorOverviewPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get(secondFactorPath, show, { role: 'viewer' })
