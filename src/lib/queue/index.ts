export type { JobType } from './attempt.ts'
export { FinalError, type Job, RetryAfterError } from './attempt.ts'
export {
  dumpJobs,
  type InsertJobs,
  type JobToInsert,
  StoredJob,
  selectStoredQueues,
  withQueues,
} from './backup.ts'
export type { JobTraces } from './job-traces.ts'
export { addMigrationJobs } from './migration-jobs.ts'
export { type JobQueue, startQueue, type Workers } from './queue.ts'
