export { createReceipt } from './create.ts'
export { getReceipt, listReceiptsOf, type Receipt, type ReceiptState } from './get.ts'
export { purgeReceipts } from './purge.ts'
export { markWithdrawn } from './withdraw.ts'
