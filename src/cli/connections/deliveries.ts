import { Command } from '@commander-js/extra-typings'
import {
  deliveryJobs,
  getDelivery,
  listDeliveries,
  replayDelivery,
} from '../../features/deliveries/index.ts'
import { getTeamBySlug } from '../../features/teams/index.ts'
import { createLog } from '../../lib/log.ts'
import { startQueue } from '../../lib/queue/index.ts'
import {
  type CliRuntime,
  databaseAction,
  formatTable,
  newTeamCommand,
  teamContext,
} from '../command.ts'

/** `tidings delivery …` */
export const deliveryCommand = (runtime: CliRuntime) =>
  new Command('delivery')
    .description('List, show and replay what providers sent')
    .addCommand(list(runtime))
    .addCommand(show(runtime))
    .addCommand(replay(runtime))

const list = (runtime: CliRuntime) =>
  newTeamCommand('list')
    .description('List the 50 newest deliveries of a connection, with their results')
    .requiredOption('--connection <id>', 'id of the connection')
    .option('--before <id>', 'list deliveries older than this one')
    .action(
      databaseAction(runtime, async ({ sql }, { team, connection, before = null }) => {
        const { id: teamId } = await getTeamBySlug(sql, team)
        const page = { connectionId: connection, before, limit: 50 }
        const deliveries = await listDeliveries({ sql, actor: { teamId } }, page)
        const rows = deliveries.map(({ id, received_at, status, reason }) => [
          id,
          received_at.toISOString(),
          status,
          reason ?? '',
        ])
        return { text: formatTable(['ID', 'RECEIVED', 'STATUS', 'REASON'], rows), json: deliveries }
      }),
    )

const show = (runtime: CliRuntime) =>
  newTeamCommand('show')
    .description('Show the result of a delivery and the blocks it created')
    .requiredOption('--id <id>', 'id of the delivery')
    .action(
      databaseAction(runtime, async ({ sql }, { team, id }) => {
        const { id: teamId } = await getTeamBySlug(sql, team)
        const delivery = await getDelivery({ sql, actor: { teamId } }, id)
        const { status, reason, block_ids, attempts, received_at, settled_at } = delivery
        const lines = [
          `${delivery.id}: ${status}`,
          ...(reason === null ? [] : [`reason: ${reason}`]),
          `connection: ${delivery.connection_id}`,
          `the provider's id: ${delivery.delivery_id}`,
          `received: ${received_at.toISOString()}`,
          `settled: ${settled_at?.toISOString() ?? 'not yet'}`,
          `attempts: ${attempts}`,
          ...block_ids.map((blockId) => `block: ${blockId}`),
          ...(delivery.replayable ? ['It can be replayed: tidings delivery replay'] : []),
        ]
        return { text: lines.join('\n'), json: delivery }
      }),
    )

const replay = (runtime: CliRuntime) =>
  newTeamCommand('replay')
    .description('Process a failed or ignored delivery again')
    .requiredOption('--id <id>', 'id of the delivery')
    .action(
      databaseAction(runtime, async (context, { team, id }) => {
        const { database } = context
        const ctx = await teamContext(context, team)
        const log = createLog('silent')
        const queue = await startQueue({ database, types: deliveryJobs, log, supervise: false })
        try {
          await replayDelivery({ ...ctx, queue }, id)
        } finally {
          await queue.stop()
        }
        return { text: `${id} is waiting to be processed.`, json: { id, status: 'waiting' } }
      }),
    )
