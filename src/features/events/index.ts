export { createEvent, deleteEvent, EventChange, NewEvent, updateEvent } from './editing.ts'
export {
  type EventFilter,
  eventKey,
  findEvents,
  getEvent,
  listEvents,
  missingEvent,
} from './events.ts'
