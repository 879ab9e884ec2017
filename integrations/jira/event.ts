import * as v from 'valibot'
import { providerText } from '../kit/text/plain-text.ts'

// All fields that are not named here are dropped before anything is stored or logged: all people
// except the name of the assignee, and the description and custom fields of an issue.

/**
 * The address of a Jira site, from the address of one of its resources: its pages are beside
 * `/rest/`.
 */
const Site = v.pipe(
  v.string(),
  v.check((self) => /^https?:/.test(self) && URL.canParse(self)),
  v.transform((self) => {
    const { origin, pathname } = new URL(self)
    return origin + pathname.replace(/\/rest\/.*/, '')
  }),
)

const Id = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^\d{1,19}$/))

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const Version = v.pipe(
  v.object({
    webhookEvent: v.literal('jira:version_released'),
    version: v.object({
      self: Site,
      id: Id,
      projectId: Id,
      name: providerText,
      description: v.nullish(providerText, null),
      released: v.boolean(),
      /** Only some Jira versions send it. */
      issuesStatusForFixVersion: v.nullish(v.object({ done: Count }), null),
    }),
  }),
  v.transform(({ version: { self: site, issuesStatusForFixVersion: issues, ...version } }) => ({
    kind: 'version' as const,
    site,
    ...version,
    issuesDone: issues?.done ?? null,
  })),
)

const ChangedField = v.object({
  field: v.string(),
  from: v.nullish(v.string(), null),
  to: v.nullish(v.string(), null),
})

const Issue = v.pipe(
  v.object({
    webhookEvent: v.literal('jira:issue_updated'),
    changelog: v.nullish(v.object({ items: v.array(ChangedField) }), { items: [] }),
    issue: v.object({
      self: Site,
      id: Id,
      key: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{0,99}-\d{1,19}$/)),
      fields: v.object({
        summary: v.nullish(providerText, null),
        labels: v.nullish(v.array(providerText), []),
        project: v.object({ id: Id, name: v.nullish(providerText, null) }),
        assignee: v.nullish(v.object({ displayName: v.nullish(providerText, null) }), null),
        resolution: v.nullish(v.object({ name: v.nullish(providerText, null) }), null),
        security: v.nullish(v.unknown()),
      }),
    }),
  }),
  v.transform(({ changelog, issue: { self: site, id, key, fields } }) => ({
    kind: 'issue' as const,
    site,
    id,
    key,
    projectId: fields.project.id,
    projectName: fields.project.name,
    assignee: fields.assignee?.displayName ?? null,
    summary: fields.summary,
    labels: fields.labels,
    /** The name of the resolution, which each Jira defines. */
    resolution: fields.resolution?.name ?? null,
    wasResolved: changelog.items.some(
      ({ field, from, to }) => field === 'resolution' && from === null && to !== null,
    ),
    isRestricted: (fields.security ?? null) !== null,
  })),
)

/**
 * The events that can become items, as they are stored.
 * Source: https://developer.atlassian.com/cloud/jira/platform/webhooks/.
 */
export const JiraEvent = v.variant('webhookEvent', [Version, Issue])
export type JiraEvent = v.InferOutput<typeof JiraEvent>

/** Every event that Jira sends to webhooks, so that a new one is noticed. */
export const eventNames: ReadonlySet<string> = new Set(
  `
  app_access_to_objects_in_container_blocked app_access_to_objects_blocked
  attachment_created attachment_deleted
  board_configuration_changed board_created board_deleted board_updated
  comment_created comment_deleted comment_updated
  filter_created filter_deleted filter_updated
  issue_property_deleted issue_property_set issuelink_created issuelink_deleted
  issuetype_created issuetype_deleted issuetype_updated
  jira:issue_created jira:issue_deleted jira:issue_updated jira:worklog_updated
  jira:version_created jira:version_deleted jira:version_moved jira:version_released
  jira:version_unreleased jira:version_updated jira_expression_evaluation_failed
  option_attachments_changed option_issuelinks_changed option_subtasks_changed
  option_timetracking_changed option_unassigned_issues_changed option_voting_changed
  option_watching_changed
  project_archived project_created project_deleted project_restored_archived
  project_restored_deleted project_soft_deleted project_updated
  sprint_closed sprint_created sprint_deleted sprint_started sprint_updated
  user_created user_deleted user_updated
  worklog_created worklog_deleted worklog_updated
  `
    .trim()
    .split(/\s+/),
)
