import * as v from 'valibot'
import { Action } from '../kit/releases/releases.ts'
import { providerText } from '../kit/text/plain-text.ts'

// All fields that are not named here are dropped before anything is stored or logged.

/** The name of a person; nothing of other actors. No address, id or profile is read. */
const PersonName = v.pipe(
  v.nullish(v.object({ name: v.nullish(providerText), type: v.nullish(v.string(), 'user') })),
  v.transform((actor) => (actor?.type === 'user' ? (actor.name ?? null) : null)),
)

const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))
const Text = v.nullish(providerText, null)
const Word = v.nullish(v.string(), null)
const Parent = v.object({ name: providerText })

const updateFields = { id: Id, body: Text, health: Word, user: PersonName }
const ownFields = { id: Id, name: providerText, description: Text }

const ProjectUpdate = v.object({
  type: v.literal('ProjectUpdate'),
  action: Action,
  url: Text,
  data: v.object({ ...updateFields, project: Parent }),
})

const InitiativeUpdate = v.object({
  type: v.literal('InitiativeUpdate'),
  action: Action,
  url: Text,
  data: v.object({ ...updateFields, initiative: Parent }),
})

// `updatedFrom` contains the former values of the fields that changed.

const Project = v.object({
  type: v.literal('Project'),
  action: Action,
  url: Text,
  actor: PersonName,
  data: v.object({ ...ownFields, status: v.nullish(v.object({ type: v.string() }), null) }),
  updatedFrom: v.nullish(v.object({ statusId: Word }), null),
})

const Initiative = v.object({
  type: v.literal('Initiative'),
  action: Action,
  url: Text,
  actor: PersonName,
  data: v.object({ ...ownFields, status: Word }),
  updatedFrom: v.nullish(v.object({ status: Word }), null),
})

/**
 * The events that can become items, as they are stored.
 * Source: https://linear.app/developers/webhooks and the types of @linear/sdk 98.0.0.
 */
export const LinearEvent = v.variant('type', [ProjectUpdate, InitiativeUpdate, Project, Initiative])
export type LinearEvent = v.InferOutput<typeof LinearEvent>

/** Every other type of event in @linear/sdk 98.0.0, so that a new type is noticed. */
export const otherTypes: ReadonlySet<string> = new Set(
  `
  AgentSessionEvent AppUserNotification Attachment AuditEntry Comment Customer CustomerNeed Cycle
  Document Issue IssueLabel IssueSLA OAuthApp PermissionChange Reaction User
  `
    .trim()
    .split(/\s+/),
)
