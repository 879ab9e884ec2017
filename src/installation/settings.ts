import type { Config } from '../config/index.ts'
import type { InstallationSettings } from '../features/health/index.ts'
import { backupDestinationOf } from '../jobs/backups.ts'
import { imageStorageOf } from './image-storage.ts'

/** The settings that the health checks need, for the command and for the console. */
export function installationSettingsOf(config: Config): InstallationSettings {
  const { baseUrl, dataDir, secret, dbPool, smtpUrl, identityProviders, backup } = config
  const destination = backupDestinationOf(config)
  return {
    baseUrl,
    dataDir,
    secret,
    dbPool,
    smtpUrl,
    identityProviders,
    ai: config.ai,
    imageBucket: config.mediaS3 && imageStorageOf(config),
    hasOwnDatabase: config.databaseUrl !== null,
    backup: backup &&
      destination && {
        destination,
        folder: typeof backup.to === 'string' ? backup.to : null,
        everyHours: backup.everyHours,
      },
  }
}
