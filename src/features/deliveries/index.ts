export {
  type Delivery,
  getDelivery,
  listDeliveries,
  newestDeliveries,
  purgeDeliveries,
} from './deliveries.ts'
export {
  completeDelivery,
  type DeliveryOutcome,
  hasEarlierWaiting,
  recordFailure,
  saveComposedItems,
  startDeliveryAttempt,
  type WaitingDelivery,
} from './progress.ts'
export { deliveryStatuses } from './sql.ts'
export {
  type DeliveryDeps,
  type ForwardingJob,
  forwarding,
  replayDelivery,
  storeEvent,
  storeIgnored,
} from './store.ts'
