import { AppError } from '../../../lib/errors.ts'
import type { ConsoleRequest } from '../context.ts'

/** Throws `insufficient_scope` when people sign in with an identity provider only. */
export function requirePasswordSignIn({ deps }: ConsoleRequest): void {
  if (deps.passwordSignIn) return
  const names = deps.sessions.identityProviders.map(({ name }) => name).join(' or ')
  throw new AppError(
    'insufficient_scope',
    `Passwords and passkeys are switched off here. Sign in with ${names}.`,
  )
}
