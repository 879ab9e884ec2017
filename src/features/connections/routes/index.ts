import { isListed } from '../../../contract/settings.ts'
import { toNfc } from '../../../contract/text.ts'
import { inTransaction } from '../../../lib/context.ts'
import { AppError, invalidField, notFound } from '../../../lib/errors.ts'
import { recordAudit } from '../../audit-log/index.ts'
import type { ConnectionContext } from '../context.ts'
import { subjectOf } from '../label.ts'
import {
  type ConnectionDeps,
  type DecryptedConnection,
  findByWebhookToken,
  findDecryptedConnection,
} from '../secrets/decrypted-connection.ts'
import { lockSettings } from '../sql.ts'
import { deleteRoute, insertRoute, type RouteRow, selectRoutes } from './sql.ts'

/** Requests from `source` that another connection handles, as if they had been sent to its address. */
export type ConnectionRoute = RouteRow

interface NewRoute {
  /** The id of the connection that gets the requests. */
  id: string
  /** A channel id or a repository; `*` stands for any characters. */
  source: string
  /** The webhook URL of the connection that handles them, which can belong to another team. */
  address: string
}

const maxRoutes = 100
const maxSourceCharacters = 255

/** The routes of a connection of the actor's team, by source. */
export async function listRoutes(
  { sql, actor }: ConnectionContext,
  { id }: { id: string },
): Promise<ConnectionRoute[]> {
  return await selectRoutes(sql, actor.teamId, id)
}

/**
 * Adds or replaces a route. Who knows the webhook URL of a connection may send requests there, so no other
 * permission of its team is needed. Throws `not_found` and `validation_failed`.
 */
export async function addRoute(ctx: ConnectionContext, { id, ...input }: NewRoute): Promise<void> {
  const source = parseSource(input.source)
  await inTransaction(ctx, async (txCtx) => {
    const { sql, actor, now } = txCtx
    const connection = await lockSettings(sql, actor.teamId, id)
    if (!connection) throw notFound('The connection')
    const target = await findByAddress(txCtx, connection.adapter, input.address)
    if (target.id === id) throw invalidField('/address', 'address is that of this connection')
    const routes = await selectRoutes(sql, actor.teamId, id)
    if (routes.length >= maxRoutes && routes.every((route) => route.source !== source)) {
      throw invalidField(
        '/source',
        `source is too much: a connection has at most ${maxRoutes} routes`,
      )
    }
    await insertRoute(sql, actor.teamId, {
      connection_id: id,
      source,
      created_at: now(),
      target_team_id: target.teamId,
      target_id: target.id,
    })
    await recordAudit(txCtx, 'connection_route_added', subjectOf(connection.adapter, id))
  })
}

/** Removes a route. Throws `not_found`. */
export async function removeRoute(
  ctx: ConnectionContext,
  { id, source }: { id: string; source: string },
): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const { sql, actor } = txCtx
    const connection = await lockSettings(sql, actor.teamId, id)
    const isRemoved = connection && (await deleteRoute(sql, actor.teamId, id, source))
    if (!connection || !isRemoved) throw notFound('The route')
    await recordAudit(txCtx, 'connection_route_removed', subjectOf(connection.adapter, id))
  })
}

/**
 * The connection that handles requests from a source: the one they were sent to, or the one to which its
 * routes lead. The routes of that one do not apply. Throws `not_found` when it was removed.
 */
export async function routedConnection(
  deps: ConnectionDeps,
  connection: DecryptedConnection,
  source: string,
): Promise<DecryptedConnection> {
  const routes = await selectRoutes(deps.sql, connection.teamId, connection.id)
  const route = routes.find((one) => isListed([one.source], source))
  if (!route) return connection
  const target = await findDecryptedConnection(deps, route.target_team_id, route.target_id)
  if (target) return target
  throw new AppError('not_found', 'The connection to which this source is routed was removed.')
}

function parseSource(given: string): string {
  const source = toNfc(given).trim()
  if (source !== '' && source.length <= maxSourceCharacters && !/[\p{Cc}\s]/u.test(source))
    return source
  throw invalidField(
    '/source',
    `source must be a channel id or a repository of at most ${maxSourceCharacters} characters without spaces`,
  )
}

async function findByAddress(
  ctx: ConnectionContext,
  adapter: string,
  address: string,
): Promise<DecryptedConnection> {
  const [, slug, token] = /\/hooks\/([^/]+)\/([^/?#]+)$/.exec(address.trim()) ?? []
  const found = slug === adapter && token ? await findByWebhookToken(ctx, adapter, token) : null
  if (found) return found
  throw invalidField(
    '/address',
    `address must be the webhook URL of a connection of this installation to the same provider (${adapter})`,
  )
}
