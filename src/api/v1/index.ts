import { BlockChange, NewBlock } from '../../contract/block-input.ts'
import { ContentBlock } from '../../contract/content-block.ts'
import { IngestPayload } from '../../contract/ingest.ts'
import { PageMeta } from '../list.ts'
import type { Operation } from '../operation.ts'
import { draftContentBlock } from './ai-drafts.ts'
import {
  createContentBlock,
  deleteContentBlock,
  listContentBlocks,
  showContentBlock,
  updateContentBlock,
} from './content-blocks.ts'
import { listTeamEvents, showEvent } from './events.ts'
import { ping } from './ping.ts'
import { showTeam } from './team.ts'
import { listTeamTemplates, showTemplate } from './templates.ts'
import { ingest } from './webhooks.ts'

/** Schemas that the OpenAPI document refers to by name, where it would else repeat them. */
export const namedSchemas = {
  requests: { IngestPayload, NewBlock, BlockChange },
  answers: { ContentBlock, PageMeta },
}

/** Every operation of the API's first version, in the order the documentation shows them. */
export const operations: readonly Operation[] = [
  ping,
  showTeam,
  ingest,
  listContentBlocks,
  draftContentBlock,
  showContentBlock,
  createContentBlock,
  updateContentBlock,
  deleteContentBlock,
  listTeamEvents,
  showEvent,
  listTeamTemplates,
  showTemplate,
]
