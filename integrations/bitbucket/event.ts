import * as v from 'valibot'
import { Id } from '../kit/releases/releases.ts'
import { providerText } from '../kit/text/plain-text.ts'

// All fields that are not named here are dropped before anything is stored or logged, in particular
// branches, commits and the addresses of their authors.

/** The stored event: the tags that one push created, for Bitbucket Cloud and Data Center. */
export interface TagsEvent {
  repository: { id: string; name: string; fullName: string; isPublic: boolean; url: string | null }
  tags: { name: string; message: string | null; url: string | null }[]
  /** The public name of the person who pushed. */
  author: string | null
}

const CloudLinks = v.nullish(v.object({ html: v.nullish(v.object({ href: providerText })) }))

const CloudChange = v.object({
  created: v.nullish(v.boolean(), false),
  /** The new state of a ref; null when it was deleted. */
  new: v.nullish(
    v.object({
      type: providerText,
      name: providerText,
      message: v.nullish(providerText, null),
      links: CloudLinks,
    }),
  ),
})

/**
 * `repo:push` of Bitbucket Cloud.
 * Source: https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/#Push.
 */
export const CloudPush = v.pipe(
  v.object({
    actor: v.nullish(
      v.object({ type: v.nullish(v.string()), display_name: v.nullish(providerText) }),
    ),
    repository: v.object({
      uuid: v.pipe(v.string(), v.regex(/^\{?[0-9a-f-]{36}\}?$/i)),
      name: providerText,
      full_name: providerText,
      is_private: v.boolean(),
      links: CloudLinks,
    }),
    push: v.object({ changes: v.array(CloudChange) }),
  }),
  v.transform(
    ({ actor, repository, push }): TagsEvent => ({
      repository: {
        id: repository.uuid.replace(/[{}]/g, '').toLowerCase(),
        name: repository.name,
        fullName: repository.full_name,
        isPublic: !repository.is_private,
        url: repository.links?.html?.href ?? null,
      },
      tags: push.changes.flatMap(({ created, new: ref }) =>
        created && ref?.type === 'tag'
          ? [{ name: ref.name, message: ref.message, url: ref.links?.html?.href ?? null }]
          : [],
      ),
      author: actor?.type === 'user' ? (actor.display_name ?? null) : null,
    }),
  ),
)

const DataCenterChange = v.object({
  type: providerText,
  ref: v.object({ id: providerText, displayId: providerText, type: providerText }),
})

/**
 * `repo:refs_changed` of Bitbucket Data Center.
 * Source: https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html.
 */
export const DataCenterPush = v.pipe(
  v.object({
    actor: v.nullish(
      v.object({ type: v.nullish(v.string()), displayName: v.nullish(providerText) }),
    ),
    repository: v.object({
      id: Id,
      slug: providerText,
      name: providerText,
      public: v.nullish(v.boolean(), false),
      project: v.object({ key: providerText }),
      links: v.nullish(v.object({ self: v.nullish(v.array(v.object({ href: providerText }))) })),
    }),
    changes: v.array(DataCenterChange),
  }),
  v.transform(({ actor, repository, changes }): TagsEvent => {
    const url = repository.links?.self?.[0]?.href ?? null
    return {
      repository: {
        id: String(repository.id),
        name: repository.name,
        fullName: `${repository.project.key}/${repository.slug}`,
        isPublic: repository.public,
        url,
      },
      tags: changes
        .filter(({ type, ref }) => type === 'ADD' && ref.type === 'TAG')
        .map(({ ref }) => ({ name: ref.displayId, message: null, url: browseAt(url, ref.id) })),
      author: actor?.type === 'NORMAL' ? (actor.displayName ?? null) : null,
    }
  }),
)

/** The page of a repository at a ref. A longer address leads nowhere, and would be stored for each of many refs. */
function browseAt(repositoryUrl: string | null, ref: string): string | null {
  if ((repositoryUrl?.length ?? 0) > 2048) return null
  const page = URL.parse(repositoryUrl ?? '')
  page?.searchParams.set('at', ref)
  return page?.href ?? null
}

/**
 * Every event that Bitbucket Cloud and Data Center document for webhooks, so that a new one is
 * noticed.
 */
export const eventNames: ReadonlySet<string> = new Set(
  `
  issue:comment_created issue:created issue:updated mirror:repo_synchronized
  pr:comment:added pr:comment:deleted pr:comment:edited pr:declined pr:deleted
  pr:from_ref_updated pr:merged pr:modified pr:opened pr:reviewer:approved
  pr:reviewer:changes_requested pr:reviewer:needs_work pr:reviewer:unapproved pr:reviewer:updated
  pr:to_ref_updated project:modified project:updated
  pullrequest:approved pullrequest:changes_request_created pullrequest:changes_request_removed
  pullrequest:comment_created pullrequest:comment_deleted pullrequest:comment_reopened
  pullrequest:comment_resolved pullrequest:comment_updated pullrequest:created
  pullrequest:fulfilled pullrequest:push pullrequest:rejected pullrequest:unapproved
  pullrequest:updated
  repo:comment:added repo:comment:deleted repo:comment:edited repo:commit_comment_created
  repo:commit_status_created repo:commit_status_updated repo:created repo:deleted repo:fork
  repo:forked repo:imported repo:modified repo:push repo:refs_changed repo:secret_detected
  repo:transfer repo:updated
  `
    .trim()
    .split(/\s+/),
)
