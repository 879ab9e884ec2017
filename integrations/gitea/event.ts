import * as v from 'valibot'
import { Action, releaseFields, repositoryFields } from '../kit/releases/releases.ts'
import { providerText } from '../kit/text/plain-text.ts'

// All fields that are not named here are dropped before anything is stored or logged.

/** The public names of a person. No id, address, picture or last sign-in is read. */
const Account = v.object({
  login: v.nullish(providerText, ''),
  full_name: v.nullish(providerText, null),
})

/**
 * The stored event. Gitea, Forgejo and Gogs send a release in GitHub's format.
 * Source: https://docs.gitea.com/usage/webhooks.
 */
export const ReleaseEvent = v.object({
  action: Action,
  release: v.object({
    ...releaseFields,
    /** Gogs sends none. */
    html_url: v.nullish(providerText, null),
    author: v.nullish(Account, null),
    created_at: v.nullish(providerText, null),
  }),
  repository: v.object({ ...repositoryFields, internal: v.nullish(v.boolean(), false) }),
})
export type ReleaseEvent = v.InferOutput<typeof ReleaseEvent>
export type Account = v.InferOutput<typeof Account>

/**
 * Every event that Gitea, Forgejo and Gogs send to webhooks, so that a new one is noticed. From the
 * HookEventType of their source (modules/webhook/type.go).
 */
export const eventNames: ReadonlySet<string> = new Set(
  `
  action_run_failure action_run_recover action_run_success create delete fork issue_assign
  issue_comment issue_label issue_milestone issues package pull_request pull_request_approved
  pull_request_assign pull_request_comment pull_request_label pull_request_milestone
  pull_request_rejected pull_request_review_approved pull_request_review_comment
  pull_request_review_rejected pull_request_review_request pull_request_sync push release
  repository schedule status wiki workflow_job workflow_run
  `
    .trim()
    .split(/\s+/),
)
