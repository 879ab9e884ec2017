export {
  applyUpdate,
  applyWithdrawal,
  hasDeletedBlock,
  type UpdateResult,
  unchangedInRollup,
  type WithdrawnBlock,
} from './apply-update.ts'
export { purgeItemState } from './purge.ts'
export { addToRollup, type RollupResult } from './rollup.ts'
export type { BlockReference, UpdateSource } from './update-source.ts'
