import { mailServerProblem } from '../../lib/mail/mail.ts'
import { identityProviderProblem } from '../sessions/index.ts'
import type { HealthCheckContext } from './context.ts'
import { type Finding, failing, ok, warning } from './finding.ts'

const responseTimeoutMs = 5_000

/** The mail server accepts emails. */
export async function checkEmail({ settings }: HealthCheckContext): Promise<Finding[]> {
  if (settings.smtpUrl === null) {
    const action = 'Set SMTP_URL and MAIL_FROM.'
    return [warning('Email', 'Emails are captured instead of sent.', action)]
  }
  const problem = await mailServerProblem(settings.smtpUrl)
  if (problem === null) return [ok('Email', 'The mail server accepts emails of this installation.')]
  return [failing('Email', problem, 'Correct SMTP_URL, or ask whoever runs the mail server.')]
}

/** The service answers under BASE_URL, as its users ask it. */
export async function checkAddress({ settings }: HealthCheckContext): Promise<Finding[]> {
  const { baseUrl } = settings
  const action = 'Check that the service runs, BASE_URL, the DNS name and the proxy.'
  try {
    const response = await fetch(`${baseUrl}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
    const text = await response.text()
    if (response.ok && text.includes('"ok"')) return [ok('Address', `${baseUrl} is reachable.`)]
    return [failing('Address', `${baseUrl} answers ${response.status}, not as Tidings.`, action)]
  } catch {
    return [failing('Address', `${baseUrl} is not reachable from this machine.`, action)]
  }
}

/** The identity providers describe themselves, as sign-in needs it. */
export async function checkSignIn({ settings }: HealthCheckContext): Promise<Finding[]> {
  return await Promise.all(
    settings.identityProviders.map(async (provider) => {
      const check = `Sign-in with ${provider.name}`
      const problem = await identityProviderProblem(provider)
      if (problem === null) return ok(check, `${provider.name} is reachable.`)
      const action = `Check OIDC_${provider.id.toUpperCase()}_ISSUER, and whether ${provider.name} works.`
      return failing(check, `${provider.name} cannot be used: ${problem}.`, action)
    }),
  )
}
