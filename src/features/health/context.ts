import type { Now } from '../../lib/clock.ts'
import type { Sql } from '../../lib/database/db.ts'
import type { BackupDestination } from '../backups/index.ts'
import type { ImageStorage } from '../images/index.ts'
import type { IdentityProvider } from '../sessions/index.ts'

/** The settings of the installation that the checks need. */
export interface InstallationSettings {
  baseUrl: string
  /** Absolute. */
  dataDir: string
  /** Null: it is in a file of `dataDir`. */
  secret: string | null
  /** The maximum number of database connections of this process. */
  dbPool: number
  smtpUrl: string | null
  identityProviders: readonly IdentityProvider[]
  /** PostgreSQL is not the embedded one. */
  hasOwnDatabase: boolean
  /** The AI service that writes drafts, an OpenAI-compatible endpoint; null: none is configured. */
  ai: { baseUrl: string; apiKey: string | null; model: string } | null
  /** The bucket of images; null: they are in a folder of `dataDir`. */
  imageBucket: ImageStorage | null
  /** Scheduled backups; `folder` is absolute, and null for a bucket. Null: there are none. */
  backup: { destination: BackupDestination; folder: string | null; everyHours: number } | null
}

export interface HealthCheckContext {
  sql: Sql
  now: Now
  settings: InstallationSettings
  /** The team whose connections are checked; null: of all teams, at most 100. */
  teamId: string | null
}
