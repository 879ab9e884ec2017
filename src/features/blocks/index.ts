export {
  blocksOfEvent,
  countBlocksMade,
  countBlocksOfEvents,
  countBlocksOfKey,
  getBlock,
  hasDrafts,
  listBlocks,
  mostCounted,
  toContentBlock,
} from './blocks.ts'
export { createBlock, deleteBlock, prepareBody, updateBlock } from './edit.ts'
export { holdOwnBlock, type OwnBlock, rewriteOwnBlock, withdrawBlocks } from './own.ts'
export { type BlockRow, blockColumns } from './sql.ts'
export { markBlocksUsed } from './usage-sql.ts'
