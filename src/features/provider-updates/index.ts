export {
  applyUpdate,
  hasDeletedBlock,
  type UpdateResult,
  unchangedInRollup,
} from './apply-update.ts'
export { applyWithdrawal, type WithdrawnBlock } from './apply-withdrawal.ts'
export { purgeItemState } from './purge.ts'
export { addToRollup, type RollupResult } from './rollup.ts'
export type { BlockReference, UpdateSource } from './update-source.ts'
