import { Elysia } from 'elysia'
import type { ConsoleDeps } from '../../http/context.ts'
import { authenticatorPages } from './authenticator.tsx'
import { backupCodePages } from './backup-codes.tsx'
import { secondFactorOverviewPages } from './overview.tsx'
import { passkeyPages } from './passkeys.tsx'
import { secondFactorSignInPages } from './sign-in.tsx'

/** Routes of everything about second factors. */
export const secondFactorPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(secondFactorSignInPages(deps))
    .use(secondFactorOverviewPages(deps))
    .use(authenticatorPages(deps))
    .use(passkeyPages(deps))
    .use(backupCodePages(deps))
