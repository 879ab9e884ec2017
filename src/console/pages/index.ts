import { Elysia } from 'elysia'
import type { ConsoleDeps } from '../http/context.ts'
import { chatAccountPages } from './account/chat-accounts.tsx'
import { accountPages } from './account/page.tsx'
import { accountSessionPages } from './account/sessions.tsx'
import { archivePages } from './archive/index.ts'
import { eventPages } from './events/index.ts'
import { formDraftPages } from './form-drafts.ts'
import { blockHistoryPages } from './history/block.tsx'
import { newsletterHistoryPages } from './history/newsletter.tsx'
import { homePages } from './home.tsx'
import { imagePages } from './images.ts'
import { integrationPages } from './integrations/index.ts'
import { libraryPages } from './library/index.ts'
import { livePages } from './live.ts'
import { newTeamPages } from './new-team.tsx'
import { newsletterPages } from './newsletters/index.ts'
import { receiptPages } from './receipt.tsx'
import { searchPages } from './search/index.tsx'
import { secondFactorPages } from './second-factor/index.ts'
import { settingsPages } from './settings/index.ts'
import { identityProviderPages } from './sign-in/identity-provider.tsx'
import { joinPages } from './sign-in/join.tsx'
import { signInLinkPages } from './sign-in/link.tsx'
import { loginPages } from './sign-in/login.tsx'
import { recoveryPages } from './sign-in/recovery.tsx'
import { setupPages } from './sign-in/setup.tsx'
import { signInAgainPages } from './sign-in/sign-in-again.tsx'
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
    .use(livePages(deps))
    .use(formDraftPages(deps))
    .use(searchPages(deps))
    .use(newTeamPages(deps))
    .use(newsletterPages(deps))
    .use(newsletterHistoryPages(deps))
    .use(blockHistoryPages(deps))
    .use(accountPages(deps))
    .use(chatAccountPages(deps))
    .use(accountSessionPages(deps))
    .use(secondFactorPages(deps))
    .use(libraryPages(deps))
    .use(imagePages(deps))
    .use(eventPages(deps))
    .use(integrationPages(deps))
    .use(settingsPages(deps))
