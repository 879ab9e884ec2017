export { binBlock, findBinned, forgetBinned, restoreBlock } from './bin.ts'
export {
  blocksOfEvent,
  countBlocksMade,
  countBlocksOfEvents,
  countBlocksOfKey,
  countByStatus,
  getBlock,
  hasDrafts,
  listBlocks,
  mostCounted,
  toContentBlock,
  usesOfBlock,
} from './blocks.ts'
export { createBlock, deleteBlock, prepareBody, updateBlock } from './edit.ts'
export type { BlockFilter } from './list-sql.ts'
export { holdOwnBlock, type OwnBlock, rewriteOwnBlock, withdrawBlocks } from './own.ts'
export { type BlockRow, blockColumns } from './sql.ts'
export { markBlocksUsed } from './usage-sql.ts'
