import type { QueueOptions } from 'pg-boss'

/** A kind of job and how it is retried. pg-boss stores it in PostgreSQL. */
export interface JobType extends QueueOptions {
  name: string
  /** The type of the job that is created after the last attempt has failed. */
  deadLetter?: string
}
