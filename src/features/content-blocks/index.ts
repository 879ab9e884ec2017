export {
  type ConnectionBlock,
  findRecentItems,
  lockConnectionBlock,
  updateRollupBlock,
  withdrawBlocks,
} from './connection-blocks.ts'
export {
  countBlocksOfKey,
  countByStatus,
  countDrafts,
  hasDrafts,
  listReviewCounts,
  mostCountedDrafts,
} from './count.ts'
export { blocksCreated, type ReviewCounts } from './count-sql.ts'
export { createBlock, findBlockErrors, prepareBody } from './create.ts'
export { deleteBlock } from './delete.ts'
export { blocksOfEvent, countBlocksOfEvents, maxCounted } from './event-blocks.ts'
export type { BlockFilter } from './filter-sql.ts'
export { getBlock, toContentBlock, usesOfBlock } from './get.ts'
export { listBlocks } from './list.ts'
export { acceptSuggestion, findOriginal, restoreOriginal } from './original.ts'
export { restoreBlockVersion } from './restore-version.ts'
export { reviewBlocks } from './review.ts'
export { searchBlocks } from './search.ts'
export { searchWordsOf } from './search-words.ts'
export { type BlockRow, blockColumns } from './sql.ts'
export { findTrashed, purgeTrash, restoreBlock, trashBlock } from './trash.ts'
export { updateBlock, updateConnectionBlock } from './update.ts'
export { markBlocksUsed } from './usage-sql.ts'
