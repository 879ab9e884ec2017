export {
  blocksOfEvent,
  countBlocksMade,
  countBlocksOfEvents,
  countBlocksOfKey,
  getBlock,
  listBlocks,
  toContentBlock,
  withdrawBlocks,
} from './blocks.ts'
export { createBlock, deleteBlock, prepareBody, updateBlock } from './edit.ts'
export { type BlockRow, blockColumns } from './sql.ts'
export { markBlocksUsed } from './usage-sql.ts'
