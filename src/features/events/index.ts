export { createEvent, deleteEvent, EventChange, NewEvent, updateEvent } from './editing.ts'
export {
  eventKey,
  findEvents,
  getEvent,
  listEvents,
  missingEvent,
} from './events.ts'
