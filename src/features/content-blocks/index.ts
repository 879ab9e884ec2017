export {
  areLong,
  type BodyConversion,
  collectRemovals,
  convertBody,
  prepareBody,
  type ReceivedBody,
  type StoredBody,
  toStoredBody,
} from './body.ts'
export {
  type ConnectionBlock,
  findRecentItems,
  lockConnectionBlock,
  updateRollupBlock,
  withdrawBlocks,
} from './connection-blocks.ts'
export { createBlock, findBlockErrors } from './create.ts'
export { deleteBlock } from './delete.ts'
export { countBlocksOfEvents, listBlocksOfEvent, maxCounted } from './events/event-blocks.ts'
export { findChangedBlocks, findTitles, getBlock, listBlockUses, toContentBlock } from './get.ts'
export { acceptSuggestion, findOriginal, restoreOriginal } from './history/original.ts'
export { restoreBlockVersion } from './history/restore-version.ts'
export {
  countBlocksOfKeys,
  countByStatus,
  countDrafts,
  hasDrafts,
  listReviewCounts,
  maxCountedDrafts,
} from './lists/count.ts'
export { blocksCreated, type ReviewCounts } from './lists/count-sql.ts'
export type { BlockFilter } from './lists/filter-sql.ts'
export { listBlocks } from './lists/list.ts'
export { searchBlocks } from './lists/search.ts'
export { searchWordsOf } from './lists/search-words.ts'
export { lockNewslettersOfBlocks } from './newsletters-sql.ts'
export { reviewBlocks } from './review.ts'
export { type BlockRow, blockColumns, selectBlock } from './sql.ts'
export {
  declineBlocks,
  findTrashed,
  listDeclined,
  purgeTrash,
  restoreBlock,
  restoreBlocks,
  trashBlock,
} from './trash/trash.ts'
export { lockBlockVersion, requireBodyFits, updateBlock, updateConnectionBlock } from './update.ts'
export { markBlocksUsed } from './usage-sql.ts'
