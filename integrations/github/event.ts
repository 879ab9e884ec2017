import * as v from 'valibot'
import { Action, Id, releaseFields, repositoryFields } from '../kit/releases/releases.ts'
import { providerText } from '../kit/text/plain-text.ts'

// All fields that are not named here are dropped before anything is stored or logged.

/** The public name of a person. No account id, address or picture is read. */
const Account = v.object({ login: providerText, type: v.nullish(providerText, null) })

const Repository = v.object({
  ...repositoryFields,
  visibility: v.nullish(providerText, null),
})

const Release = v.object({
  kind: v.literal('release'),
  action: Action,
  release: v.object({
    ...releaseFields,
    author: v.nullish(Account, null),
  }),
  repository: Repository,
})

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const Milestone = v.object({
  kind: v.literal('milestone'),
  action: Action,
  milestone: v.object({
    id: Id,
    title: providerText,
    description: v.nullish(providerText, null),
    html_url: providerText,
    closed_issues: Count,
    open_issues: v.nullish(Count, 0),
  }),
  repository: Repository,
  sender: v.nullish(Account, null),
})

const Public = v.object({
  kind: v.literal('public'),
  repository: v.object({
    ...Repository.entries,
    description: v.nullish(providerText, null),
  }),
  sender: v.nullish(Account, null),
})

/**
 * The events that can become items, as they are stored. `kind` is the name in the `X-GitHub-Event`
 * header.
 * Shapes: https://docs.github.com/en/webhooks/webhook-events-and-payloads.
 */
export const GitHubEvent = v.variant('kind', [Release, Milestone, Public])
export type GitHubEvent = v.InferOutput<typeof GitHubEvent>
export type Account = v.InferOutput<typeof Account>

/**
 * Every event that GitHub sends to webhooks, also in its enterprise editions, so that a new one is
 * noticed. From @octokit/webhooks 14.2.0 and @octokit/openapi-webhooks 12.1.0.
 */
export const eventNames: ReadonlySet<string> = new Set(
  `
  branch_protection_configuration branch_protection_rule bypass_request_secret_scanning
  check_run check_suite code_scanning_alert commit_comment create custom_property
  custom_property_values delete dependabot_alert deploy_key deployment
  deployment_protection_rule deployment_review deployment_status discussion discussion_comment
  dismissal_request_code_scanning dismissal_request_secret_scanning
  exemption_request_push_ruleset fork github_app_authorization gollum installation
  installation_repositories installation_target issue_comment issue_dependencies issues label
  marketplace_purchase member membership merge_group meta milestone org_block organization
  package page_build personal_access_token_request ping project project_card project_column
  projects_v2 projects_v2_item projects_v2_status_update public pull_request pull_request_review
  pull_request_review_comment pull_request_review_thread push registry_package release
  repository repository_advisory repository_dispatch repository_import repository_ruleset
  repository_vulnerability_alert secret_scanning_alert secret_scanning_alert_location
  secret_scanning_scan security_advisory security_and_analysis sponsorship star status
  sub_issues team team_add watch workflow_dispatch workflow_job workflow_run
  `
    .trim()
    .split(/\s+/),
)
