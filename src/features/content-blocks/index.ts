export {
  blocksOfEvent,
  countBlocksCreated,
  countBlocksOfEvents,
  countBlocksOfKey,
  countByStatus,
  getBlock,
  hasDrafts,
  listBlocks,
  maxCounted,
  toContentBlock,
  usesOfBlock,
} from './blocks.ts'
export {
  type ConnectionBlock,
  lockConnectionBlock,
  updateRollupBlock,
  withdrawBlocks,
} from './connection-blocks.ts'
export { createBlock, deleteBlock, prepareBody, updateBlock } from './edit.ts'
export type { BlockFilter } from './list-sql.ts'
export { reviewBlocks } from './review.ts'
export { type BlockRow, blockColumns } from './sql.ts'
export { findTrashed, purgeTrash, restoreBlock, trashBlock } from './trash.ts'
export { markBlocksUsed } from './usage-sql.ts'
