import { Elysia } from 'elysia'
import type { ConsoleDeps } from '../http/context.ts'
import { accountPages } from './account.tsx'
import { accountSessionPages } from './account-sessions.tsx'
import { archivePages } from './archive/index.ts'
import { draftPages } from './drafts.ts'
import { eventPages } from './events/index.ts'
import { homePages } from './home.tsx'
import { identityProviderPages } from './identity-provider.tsx'
import { imagePages } from './images.ts'
import { integrationPages } from './integrations/index.ts'
import { joinPages } from './join.tsx'
import { libraryPages } from './library/index.ts'
import { loginPages } from './login.tsx'
import { newsletterPages } from './newsletters/index.ts'
import { receiptPages } from './receipt.tsx'
import { recoveryPages } from './recovery.tsx'
import { searchPages } from './search/index.tsx'
import { secondFactorPages } from './second-factor/index.ts'
import { settingsPages } from './settings/index.ts'
import { setupPages } from './setup.tsx'
import { signInAgainPages } from './sign-in-again.tsx'
import { signInLinkPages } from './sign-in-link.tsx'
import { submitPages } from './submit.tsx'
import { welcomePages } from './welcome/index.ts'

/** The routes of all pages. */
export const pages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(loginPages(deps))
    .use(identityProviderPages(deps))
    .use(signInLinkPages(deps))
    .use(signInAgainPages(deps))
    .use(setupPages(deps))
    .use(recoveryPages(deps))
    .use(joinPages(deps))
    .use(submitPages(deps))
    .use(receiptPages(deps))
    .use(archivePages(deps))
    .use(welcomePages(deps))
    .use(homePages(deps))
    .use(draftPages(deps))
    .use(searchPages(deps))
    .use(newsletterPages(deps))
    .use(accountPages(deps))
    .use(accountSessionPages(deps))
    .use(secondFactorPages(deps))
    .use(libraryPages(deps))
    .use(imagePages(deps))
    .use(eventPages(deps))
    .use(integrationPages(deps))
    .use(settingsPages(deps))
