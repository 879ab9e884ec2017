import { Elysia } from 'elysia'
import * as v from 'valibot'
import { ConnectionStatus } from '../../contract/connection.ts'
import { described } from '../../contract/described.ts'
import {
  type ConnectionWithHealth,
  listConnectionHealth,
} from '../../features/connections/index.ts'
import { access } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { document } from '../openapi/operation.ts'
import { resource, responses } from '../response.ts'

const example = {
  id: 'cn_019a9f40b7e17a11c2d3e4f5a6b7c8d9',
  adapter: 'github',
  label: 'Website',
  state: 'failing',
  reason: 'The last request had no valid signature.',
  action: 'Check the secret: it has to be the same here and at the provider.',
  queued: 0,
  seconds_to_drain: 0,
  refused_requests: 4,
  last_refused_at: '2026-11-20T09:32:00.000Z',
  rate_limited_requests: 0,
  last_polled_at: null,
  next_poll_at: null,
  created_at: '2026-11-01T08:00:00.000Z',
} satisfies ConnectionStatus

export const ConnectionList = resource({
  connections: described(
    v.array(ConnectionStatus),
    'The connections of the team, newest first, at most 200.',
    [example],
  ),
})

/** `GET /connections`: the health of the team's connections. */
export const connections = (deps: ApiDeps) =>
  new Elysia({ prefix: '/connections', tags: ['Connections'] })
    .use(access(deps))
    .get(
      '/',
      async ({ ctx }) => ({ connections: (await listConnectionHealth(ctx)).map(toStatus) }),
      {
        access: { scope: 'read' },
        response: responses({ 200: ConnectionList }),
        detail: document({
          operationId: 'listConnections',
          summary: 'List the connections and their health',
          description:
            'For a monitor: the state of each connection, why it is delayed or failing and what to do, and what waits. The address that the provider calls contains a secret and is not part of it.',
          responses: {
            200: { description: 'The connections.', example: { connections: [example] } },
          },
        }),
      },
    )

const toStatus = (connection: ConnectionWithHealth): ConnectionStatus => ({
  id: connection.id,
  adapter: connection.adapter,
  label: connection.label,
  state: connection.state,
  reason: connection.reason,
  action: connection.action,
  queued: connection.queued,
  seconds_to_drain: connection.secondsToDrain,
  refused_requests: connection.refusedRequests,
  last_refused_at: connection.lastRefusedAt?.toISOString() ?? null,
  rate_limited_requests: connection.rateLimitedRequests,
  last_polled_at: connection.polling?.lastAt?.toISOString() ?? null,
  next_poll_at: connection.polling?.nextAt?.toISOString() ?? null,
  created_at: connection.createdAt.toISOString(),
})
