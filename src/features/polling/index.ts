export type { EntryChange } from './compare-entries.ts'
export {
  completePoll,
  completeUnchanged,
  failPoll,
  PollJobData,
  pollJob,
  purgePolledEntries,
  queueDuePolls,
  type StartedPoll,
  startPoll,
} from './poll.ts'
export { addSource, removeSource } from './sources.ts'
export type { PollProblem } from './sql.ts'
