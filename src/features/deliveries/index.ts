export { encryptedDeliveryColumn } from './encryption.ts'
export { DeliveryJobData, deliveryJobs, forwardJob, giveUpJob, notifyJob } from './jobs.ts'
export {
  countSettledSince,
  type Delivery,
  getDelivery,
  listDeliveries,
  listNewestDeliveries,
} from './list.ts'
export {
  completeDelivery,
  type DeliveryOutcome,
  findSavedByOthers,
  findWaitingDelivery,
  hasEarlierWaiting,
  recordFailure,
  replaceComposedItems,
  saveComposedItems,
  saveContributors,
  startDeliveryAttempt,
  type WaitingDelivery,
} from './progress.ts'
export { purgeDeliveries } from './purge.ts'
export { replayDelivery } from './replay.ts'
export {
  encryptedSenderNotificationColumn,
  endSenderNotification,
  findSenderNotification,
  postponeSenderNotification,
  startSenderNotification,
} from './sender-notifications.ts'
export { deliveryStatuses } from './sql.ts'
export { type DeliveryDeps, type ReceivedEvent, storeEvents, storeIgnored } from './store.ts'
