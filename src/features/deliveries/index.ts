export {
  countSettledSince,
  type Delivery,
  encryptedDeliveryColumn,
  getDelivery,
  listDeliveries,
  newestDeliveries,
  purgeDeliveries,
} from './deliveries.ts'
export {
  beginNotification,
  encryptedNotificationColumn,
  endNotification,
  findNotification,
  postponeNotification,
} from './notifications.ts'
export {
  completeDelivery,
  type DeliveryOutcome,
  findWaitingDelivery,
  hasEarlierWaiting,
  recordFailure,
  replaceComposedItems,
  saveComposedItems,
  startDeliveryAttempt,
  type WaitingDelivery,
} from './progress.ts'
export { deliveryStatuses } from './sql.ts'
export {
  type DeliveryDeps,
  DeliveryJobData,
  deliveryJobs,
  forwardJob,
  giveUpJob,
  notifyJob,
  type ReceivedEvent,
  replayDelivery,
  storeEvents,
  storeIgnored,
} from './store.ts'
