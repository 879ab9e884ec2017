import type { AiDrafts } from '../features/ai-drafts/index.ts'
import type { KeyChecks } from '../features/api-keys/index.ts'
import type { BodyConversion } from '../features/content-blocks/index.ts'
import type { Images } from '../features/images/index.ts'
import type { Ingest } from '../features/ingest/index.ts'
import type { CountInPeriod } from '../features/teams/index.ts'
import type { Now } from '../lib/clock.ts'
import type { Sql } from '../lib/database/db.ts'
import type { Cursors } from '../lib/lists/pagination.ts'
import type { JobQueue } from '../lib/queue/index.ts'

/** What the API works with. The composition root makes it once. */
export interface ApiDeps extends KeyChecks {
  /** How clients reach the service, without a slash at the end. */
  baseUrl: string
  sql: Sql
  now: Now
  queue: JobQueue
  ingest: Ingest
  /** How the texts of blocks are converted to what is stored. */
  bodyConversion: BodyConversion
  images: Images
  drafts: AiDrafts
  cursors: Cursors
  /** The operator's limit of AI drafts a month; null leaves it to the team's plan. */
  aiDraftsPerMonth: number | null
  countNewsletters: CountInPeriod
}
