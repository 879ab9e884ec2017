import { Elysia } from 'elysia'
import type { ConsoleDeps } from '../../http/context.ts'
import { aiPages } from './ai.tsx'
import { archiveSettingsPages } from './archive.tsx'
import { auditPages } from './audit.tsx'
import { capturedEmailPages } from './captured-emails.tsx'
import { healthPages } from './health.tsx'
import { jobPages } from './jobs.tsx'
import { keyValuePages } from './keys/key-value.tsx'
import { keyListPages } from './keys/list.tsx'
import { newKeyPages } from './keys/new.tsx'
import { revokeRotateKeyPages } from './keys/revoke-rotate.tsx'
import { memberChangePages } from './members/changes.tsx'
import { memberPages } from './members/list.tsx'
import { memberSecondFactorPages } from './members/second-factor.tsx'
import { sendingPages } from './sending.tsx'
import { submissionPages } from './submissions.tsx'
import { teamPages } from './team.tsx'
import { templatePages } from './templates/index.ts'
import { usagePages } from './usage.tsx'

/** All routes below `/settings`. */
export const settingsPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(teamPages(deps))
    .use(memberPages(deps))
    .use(memberChangePages(deps))
    .use(memberSecondFactorPages(deps))
    .use(keyListPages(deps))
    .use(newKeyPages(deps))
    .use(revokeRotateKeyPages(deps))
    .use(keyValuePages(deps))
    .use(templatePages(deps))
    .use(archiveSettingsPages(deps))
    .use(sendingPages(deps))
    .use(aiPages(deps))
    .use(submissionPages(deps))
    .use(usagePages(deps))
    .use(auditPages(deps))
    .use(jobPages(deps))
    .use(healthPages(deps))
    .use(capturedEmailPages(deps))
