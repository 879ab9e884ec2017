import type { Operation } from '../operation.ts'
import { listContentBlocks, showContentBlock } from './content-blocks.ts'
import { listTeamEvents, showEvent } from './events.ts'
import { ping } from './ping.ts'
import { showTeam } from './team.ts'
import { ingest } from './webhooks.ts'

/** Every operation of the API's first version, in the order the documentation shows them. */
export const operations: readonly Operation[] = [
  ping,
  showTeam,
  ingest,
  listContentBlocks,
  showContentBlock,
  listTeamEvents,
  showEvent,
]
