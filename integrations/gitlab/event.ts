import * as v from 'valibot'
import { Action, Id } from '../kit/releases/releases.ts'
import { providerText } from '../kit/text/plain-text.ts'

// All fields that are not named here are dropped before anything is stored or logged. No person is
// stored, because a release names only the author of its last commit.

const Project = v.object({
  id: Id,
  name: providerText,
  path_with_namespace: providerText,
  web_url: providerText,
})

/** A time such as `2026-11-02 12:55:12 UTC`; null when it is not a time. */
const Moment = v.pipe(
  v.string(),
  v.transform((text) => {
    const time = new Date(text)
    return Number.isNaN(time.getTime()) ? null : time.toISOString()
  }),
)

const Release = v.object({
  object_kind: v.literal('release'),
  action: Action,
  tag: providerText,
  name: v.nullish(providerText, null),
  description: v.nullish(providerText, null),
  url: v.nullish(providerText, null),
  released_at: v.nullish(Moment, null),
  created_at: v.nullish(Moment, null),
  project: Project,
})

const Milestone = v.object({
  object_kind: v.literal('milestone'),
  action: Action,
  object_attributes: v.object({
    id: Id,
    iid: Id,
    title: providerText,
    description: v.nullish(providerText, null),
  }),
  project: Project,
})

/**
 * The events that can become items, as they are stored.
 * Shapes: https://docs.gitlab.com/user/project/integrations/webhook_events/.
 */
export const GitLabEvent = v.variant('object_kind', [Release, Milestone])
export type GitLabEvent = v.InferOutput<typeof GitLabEvent>

/** Every value that GitLab documents for `X-Gitlab-Event`, so that a new one is noticed. */
export const eventNames: ReadonlySet<string> = new Set([
  'Confidential Issue Hook',
  'Confidential Note Hook',
  'Deployment Hook',
  'Emoji Hook',
  'Feature Flag Hook',
  'Issue Hook',
  'Job Hook',
  'Member Hook',
  'Merge Request Hook',
  'Milestone Hook',
  'Note Hook',
  'Pipeline Hook',
  'Project Hook',
  'Push Hook',
  'Release Hook',
  'Resource Access Token Hook',
  'Resource Deploy Token Hook',
  'Subgroup Hook',
  'System Hook',
  'Tag Push Hook',
  'Vulnerability Hook',
  'Wiki Page Hook',
])
