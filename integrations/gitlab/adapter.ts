import * as v from 'valibot'
import { defineAdapter, secret } from '../kit/adapter.ts'
import { composeUnlessExcluded, fullNames } from '../kit/filters.ts'
import type { Received } from '../kit/requests/received.ts'
import { repositoryOf } from '../kit/requests/request-source.ts'
import { isSharedSecret } from '../kit/requests/signature.ts'
import { isStandardSecret, isStandardSigned } from '../kit/requests/standard-signature.ts'
import {
  badRequest,
  deliveryIdOf,
  ignoredOrUnknown,
  readObject,
  receiveEvent,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { eventNames, GitLabEvent } from './event.ts'
import { composeEvent, ignoreReason, settingReason } from './news.ts'

const Settings = v.pipe(
  v.object({
    /** The key of GitLab's signatures. When it is set, the plain token is ignored. */
    signing_token: v.optional(
      v.pipe(secret(), v.everyItem(isStandardSecret, 'must be whsec_ followed by base64')),
    ),
    /** The token that GitLab sends in plain text. */
    secret_token: v.optional(secret()),
    /** Only these projects; all of them when empty. */
    projects: fullNames(),
  }),
  v.forward(
    v.check(
      ({ signing_token, secret_token }) =>
        signing_token !== undefined || secret_token !== undefined,
      'is required (or, where GitLab offers none, a secret_token)',
    ),
    ['signing_token'],
  ),
)
type Settings = v.InferOutput<typeof Settings>

export const adapter = defineAdapter({
  slug: 'gitlab',
  name: 'GitLab',
  category: 'tracker',
  settings: Settings,
  events: ['release.create', 'release.update', 'milestone.close'],
  groups: true,
  sourceOf: repositoryOf,

  async receive(request, { settings, now }): Promise<Received<GitLabEvent>> {
    const text = strictUtf8(request.body)
    if (!text || !isFromGitLab(request.headers, text, settings, now)) return unauthorized

    const name = request.headers.get('x-gitlab-event')
    if (!name) return badRequest('X-Gitlab-Event missing')
    const payload = readObject(text)
    if (payload === undefined) return badRequest('the body is not a JSON object')

    const deliveryId = deliveryIdOf(request.headers, idHeaders(settings), text)
    if (name !== 'Release Hook' && name !== 'Milestone Hook')
      return ignoredOrUnknown(name, eventNames, deliveryId)
    if (name === 'Milestone Hook' && !hasProject(payload))
      return { kind: 'ignored', deliveryId, reason: `${name}: of a group, not of a project` }
    return receiveEvent({
      schema: GitLabEvent,
      payload,
      name,
      fullName: (event) => `${event.object_kind}.${event.action}`,
      deliveryId,
      provider: 'GitLab',
      ignoreReason,
      settingReason: (event) => settingReason(event, settings),
    })
  },

  /** Needs no call: the event contains everything. */
  async compose({ event, settings, now, language }) {
    return composeUnlessExcluded(settingReason(event, settings), () =>
      composeEvent(event, now, language),
    )
  },
})

/**
 * Whether the request is signed as in Standard Webhooks or, without a signing token, has the plain
 * token.
 * Source: https://docs.gitlab.com/user/project/integrations/webhooks/
 */
function isFromGitLab(headers: Headers, body: string, settings: Settings, now: Date): boolean {
  const { signing_token, secret_token = [] } = settings
  return signing_token === undefined
    ? isSharedSecret(headers.get('x-gitlab-token'), secret_token)
    : isStandardSigned(headers, body, signing_token, now)
}

/** The headers with the id of a delivery, best first. Only `webhook-id` is signed. */
const idHeaders = ({ signing_token }: Settings) =>
  signing_token === undefined ? ['idempotency-key', 'x-gitlab-event-uuid'] : ['webhook-id']

const hasProject = (payload: object) => 'project' in payload && payload.project !== null
