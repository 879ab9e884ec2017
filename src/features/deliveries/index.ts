export {
  type DeliveryDeps,
  type ForwardingJob,
  forwarding,
  recordEvent,
  recordIgnored,
  replayDelivery,
} from './arrival.ts'
export {
  type Delivery,
  getDelivery,
  listDeliveries,
  newestDeliveries,
  purgeDeliveries,
} from './deliveries.ts'
export {
  attemptDelivery,
  hasEarlierWaiting,
  keepItems,
  noteTrouble,
  type Outcome,
  settleDelivery,
  type WaitingDelivery,
} from './progress.ts'
export { deliveryStatuses } from './sql.ts'
