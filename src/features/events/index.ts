export {
  createEvent,
  deleteEvent,
  EventChange,
  getOwnEvent,
  NewEvent,
  updateEvent,
} from './editing.ts'
export {
  eventKey,
  eventsBetween,
  type FoundEvent,
  findEvents,
  getEvent,
  listEvents,
  missingEvent,
  wellKnownDay,
} from './events.ts'
