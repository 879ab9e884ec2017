import type { Operation } from '../operation.ts'
import { draftContentBlock } from './ai-drafts.ts'
import {
  createContentBlock,
  deleteContentBlock,
  listContentBlocks,
  showContentBlock,
  updateContentBlock,
} from './content-blocks.ts'
import { ping } from './ping.ts'
import { ingest } from './webhooks.ts'

/** Every operation of the API's first version, in the order the documentation shows them. */
export const operations: readonly Operation[] = [
  ping,
  ingest,
  listContentBlocks,
  draftContentBlock,
  showContentBlock,
  createContentBlock,
  updateContentBlock,
  deleteContentBlock,
]
