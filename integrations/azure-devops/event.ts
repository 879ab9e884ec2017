import * as v from 'valibot'
import { providerText } from '../kit/text/plain-text.ts'

// All fields that are not named here are dropped before anything is stored or logged, such as the tasks of a
// deployment with their connections, approvals, comments and the addresses of people.

const Text = v.nullish(providerText, null)
const Id = v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^[\w-]{1,64}$/))
const Link = v.nullish(v.object({ href: Text }), null)

/** Where the project is: in the cloud it has an account, on a server a collection. */
const Containers = v.nullish(
  v.object({
    collection: v.nullish(v.object({ id: Id, baseUrl: Text }), null),
    account: v.nullish(v.object({ baseUrl: Text }), null),
  }),
  null,
)

/** A person, as newer versions send it, or `Name <address>`; only the name is kept. */
const Person = v.nullish(
  v.pipe(
    v.union([
      v.pipe(
        v.object({ displayName: providerText }),
        v.transform(({ displayName }) => displayName),
      ),
      providerText,
    ]),
    v.transform((text) => text.replace(/(?<!\s)\s*<[^<>]*>\s*$/, '')),
    v.transform((name) => (/[@\\]/.test(name) ? null : name)),
  ),
  null,
)

/** https://learn.microsoft.com/azure/devops/service-hooks/events#release-deployment-completed */
const Deployment = v.pipe(
  v.object({
    eventType: v.literal('ms.vss-release.deployment-completed-event'),
    resource: v.object({
      environment: v.object({
        name: providerText,
        status: v.string(),
        release: v.object({
          id: Id,
          name: providerText,
          _links: v.nullish(v.object({ web: Link }), null),
        }),
      }),
      project: v.object({ id: Id, name: providerText }),
    }),
    resourceContainers: Containers,
  }),
  v.transform(({ resource: { environment, project }, resourceContainers }) => ({
    kind: 'deployment' as const,
    project: project.name,
    project_id: project.id,
    environment: environment.name,
    succeeded: environment.status.toLowerCase() === 'succeeded',
    release: environment.release.name,
    release_id: environment.release.id,
    url: environment.release._links?.web?.href ?? null,
    site: siteOf(resourceContainers),
  })),
)

const Change = v.nullish(v.object({ oldValue: Text, newValue: Text }), null)

/** https://learn.microsoft.com/azure/devops/service-hooks/events#work-item-updated */
const WorkItem = v.pipe(
  v.object({
    eventType: v.literal('workitem.updated'),
    resource: v.object({
      workItemId: Id,
      fields: v.nullish(v.object({ 'System.State': Change }), null),
      _links: v.nullish(v.object({ html: Link }), null),
      revision: v.object({
        id: v.nullish(Id, null),
        fields: v.object({
          'System.TeamProject': providerText,
          'System.WorkItemType': providerText,
          'System.Title': providerText,
          'System.Reason': Text,
          'System.AssignedTo': Person,
        }),
      }),
    }),
    resourceContainers: Containers,
  }),
  v.transform(
    ({ resource: { workItemId, fields: changed, _links, revision }, resourceContainers }) => ({
      kind: 'work_item' as const,
      project: revision.fields['System.TeamProject'],
      collection_id: resourceContainers?.collection?.id ?? '',
      // Tests of a service hook send 0.
      id: workItemId === '0' && revision.id !== null ? revision.id : workItemId,
      type: revision.fields['System.WorkItemType'],
      title: revision.fields['System.Title'],
      reason: revision.fields['System.Reason'],
      assignee: revision.fields['System.AssignedTo'],
      /** The state that it got with this change; null when the change left the state as it was. */
      new_state: changed?.['System.State']?.newValue ?? null,
      old_state: changed?.['System.State']?.oldValue ?? null,
      url: _links?.html?.href ?? null,
      site: siteOf(resourceContainers),
    }),
  ),
)

const siteOf = (containers: v.InferOutput<typeof Containers>): string =>
  containers?.account?.baseUrl ?? containers?.collection?.baseUrl ?? 'https://dev.azure.com'

export type DevOpsEvent = v.InferOutput<typeof Deployment> | v.InferOutput<typeof WorkItem>

/** The schema of the events with a name. */
export const schemaOf = (name: string): v.GenericSchema<unknown, DevOpsEvent> =>
  name === 'workitem.updated' ? WorkItem : Deployment

/** The name of the event and its id, which every request has. */
export const Envelope = v.object({
  eventType: v.pipe(v.string(), v.maxLength(200)),
  id: v.nullish(v.string(), null),
})

/** The names of the events that can become items. */
export const newsEvents = ['ms.vss-release.deployment-completed-event', 'workitem.updated'] as const

/** The other events of service hooks, which create no block. */
export const otherEvents: ReadonlySet<string> = new Set([
  'build.complete',
  'ms.vss-release.release-abandoned-event',
  'ms.vss-release.release-created-event',
  'ms.vss-release.deployment-approval-completed-event',
  'ms.vss-release.deployment-approval-pending-event',
  'ms.vss-release.deployment-started-event',
  'ms.vss-pipelines.run-state-changed-event',
  'ms.vss-pipelines.stage-state-changed-event',
  'ms.vss-pipelines.job-state-changed-event',
  'ms.vss-pipelinechecks-events.approval-pending',
  'ms.vss-pipelinechecks-events.approval-completed',
  'tfvc.checkin',
  'git.push',
  'git.repo.created',
  'git.repo.deleted',
  'git.repo.forked',
  'git.repo.renamed',
  'git.pullrequest.created',
  'git.pullrequest.merged',
  'git.pullrequest.updated',
  'ms.vss-code.git-pullrequest-comment-event',
  'workitem.created',
  'workitem.deleted',
  'workitem.restored',
  'workitem.commented',
])
