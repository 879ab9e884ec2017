import {
  forwarding,
  getDelivery,
  listDeliveries,
  replayDelivery,
} from '../features/deliveries/index.ts'
import { getTeamBySlug } from '../features/teams/index.ts'
import { createLog } from '../lib/log.ts'
import { startQueue } from '../lib/queue.ts'
import { type Command, table, teamOption as team } from './command.ts'

const list: Command = {
  noun: 'delivery',
  verb: 'list',
  summary: 'List what came in over a connection, newest first, with its outcome',
  options: {
    team,
    connection: { type: 'string', required: true, describe: 'id of the connection' },
    before: { type: 'string', describe: 'id of a delivery, to read on from' },
  },
  async run({ sql }, values) {
    const { id: teamId } = await getTeamBySlug(sql, values.text('team'))
    const before = values.optionalText('before') ?? null
    const page = { before, limit: 50 }
    const deliveries = await listDeliveries(sql, teamId, values.text('connection'), page)
    const rows = deliveries.map(({ id, received_at, status, reason }) => [
      id,
      received_at.toISOString(),
      status,
      reason ?? '',
    ])
    return { text: table(['ID', 'RECEIVED', 'OUTCOME', 'REASON'], rows), json: deliveries }
  },
}

const show: Command = {
  noun: 'delivery',
  verb: 'show',
  summary: 'Show what became of a delivery, and the blocks it made',
  options: { team, id: { type: 'string', required: true, describe: 'id of the delivery' } },
  async run({ sql }, values) {
    const { id: teamId } = await getTeamBySlug(sql, values.text('team'))
    const delivery = await getDelivery(sql, teamId, values.text('id'))
    const { status, reason, block_ids, attempts, received_at, settled_at, replayable } = delivery
    const lines = [
      `${delivery.id}: ${status}`,
      ...(reason === null ? [] : [`reason: ${reason}`]),
      `connection: ${delivery.connection_id}`,
      `the provider's id: ${delivery.delivery_id}`,
      `received: ${received_at.toISOString()}`,
      `settled: ${settled_at?.toISOString() ?? 'not yet'}`,
      `attempts: ${attempts}`,
      ...block_ids.map((id) => `block: ${id}`),
      ...(replayable ? ['It can be sent on its way again: tidings delivery replay'] : []),
    ]
    return { text: lines.join('\n'), json: delivery }
  },
}

const replay: Command = {
  noun: 'delivery',
  verb: 'replay',
  summary: 'Send a failed or ignored delivery on its way again',
  options: { team, id: { type: 'string', required: true, describe: 'id of the delivery' } },
  async run({ sql, database }, values) {
    const { id: teamId } = await getTeamBySlug(sql, values.text('team'))
    const id = values.text('id')
    const log = createLog('silent')
    const queue = await startQueue({ database, kinds: [forwarding], log, supervise: false })
    try {
      await replayDelivery({ sql, queue }, teamId, id)
    } finally {
      await queue.stop()
    }
    return { text: `${id} is on its way again.`, json: { id, status: 'waiting' } }
  },
}

export const deliveryCommands = [list, show, replay]
