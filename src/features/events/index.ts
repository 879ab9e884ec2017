export { createEvent, requireFreeEventSlug } from './create.ts'
export { eventInLanguage } from './days/in-language.ts'
export { deleteEvent } from './delete.ts'
export { eventKey, type FoundEvent } from './event.ts'
export {
  findEvent,
  findEventDates,
  getEvent,
  getOwnEvent,
  listEventWarnings,
  requireOwnEvent,
  wellKnownDay,
} from './get.ts'
export { findEvents, listEvents, listEventsBetween } from './list.ts'
export { purgeEvents } from './purge.ts'
export { deleteEvents, saveEvent } from './save.ts'
export { searchEvents } from './search.ts'
export { updateEvent } from './update.ts'
