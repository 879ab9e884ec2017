import { isIP } from 'node:net'
import * as v from 'valibot'
import { databaseUrl } from './database-url.ts'
import { identityProviderEntries } from './identity-providers.ts'
import { slackAppEntries } from './slack-app.ts'
import {
  backupDestination,
  hostList,
  installationSecret,
  mailSender,
  mailServer,
  serviceOrigin,
  share,
  webOrigin,
  whole,
} from './values.ts'

/** The samplers of the OpenTelemetry specification. */
const traceSamplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const

const EachVariable = v.object({
  PORT: v.optional(whole(0, 65_535), '3000'),
  HOST: v.optional(
    v.pipe(
      v.string(),
      v.check((value) => isIP(value) !== 0, 'must be an IP address of this machine'),
    ),
  ),
  BASE_URL: v.optional(serviceOrigin),
  DATABASE_URL: v.optional(databaseUrl),
  DB_POOL: v.optional(whole(6, 1_000), '24'),
  DATA_DIR: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), './data'),
  TIDINGS_SECRET: v.optional(installationSecret),
  TIDINGS_NEW_SECRET: v.optional(
    v.nullable(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
    null,
  ),
  TIDINGS_ADMIN_EMAIL: v.optional(
    v.pipe(v.string(), v.trim(), v.email('must be an email address')),
  ),
  TIDINGS_ADMIN_PASSWORD: v.optional(v.string()),
  AI_BASE_URL: v.optional(webOrigin),
  AI_API_KEY: v.optional(v.string()),
  AI_MODEL: v.optional(v.string()),
  LOG_LEVEL: v.optional(
    v.picklist(
      ['debug', 'info', 'warn', 'error', 'silent'],
      'must be debug, info, warn, error or silent',
    ),
    'info',
  ),
  DRAIN_SECONDS: v.optional(whole(0, 60), '1'),
  ROLE: v.optional(v.picklist(['all', 'web', 'worker'], 'must be all, web or worker'), 'all'),
  TRUST_PROXY: v.optional(whole(0, 10), '0'),
  OUTBOUND_ALLOW_PRIVATE: v.optional(hostList, ''),
  INGEST_URL: v.optional(webOrigin),
  AI_DRAFTS_PER_MONTH: v.optional(whole(0, 1_000_000)),
  BACKUP_PASSPHRASE: v.optional(
    v.pipe(v.string(), v.minLength(12, 'must have at least 12 characters')),
  ),
  BACKUP_TO: v.optional(backupDestination),
  BACKUP_EVERY: v.optional(
    v.picklist(
      ['1', '2', '3', '4', '6', '8', '12', '24'],
      'must be a number of hours: 1, 2, 3, 4, 6, 8, 12 or 24',
    ),
    '24',
  ),
  BACKUP_KEEP: v.optional(whole(1, 500), '7'),
  BACKUP_S3_ENDPOINT: v.optional(webOrigin),
  BACKUP_S3_REGION: v.optional(v.string()),
  BACKUP_S3_ACCESS_KEY_ID: v.optional(v.string()),
  BACKUP_S3_SECRET_ACCESS_KEY: v.optional(v.string()),
  METRICS_PORT: v.optional(whole(0, 65_535)),
  METRICS_TOKEN: v.optional(
    v.nullable(v.pipe(v.string(), v.trim(), v.minLength(16, 'must have at least 16 characters'))),
    null,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(webOrigin),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: v.optional(webOrigin),
  OTEL_SDK_DISABLED: v.optional(v.string(), 'false'),
  OTEL_TRACES_SAMPLER: v.optional(
    v.picklist(traceSamplers, `must be one of ${traceSamplers.join(', ')}`),
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: v.optional(share, '1'),
  SMTP_URL: v.optional(mailServer),
  MAIL_FROM: v.optional(mailSender),
  MEDIA_S3_BUCKET: v.optional(v.string()),
  MEDIA_S3_ENDPOINT: v.optional(webOrigin),
  MEDIA_S3_REGION: v.optional(v.string()),
  MEDIA_S3_ACCESS_KEY_ID: v.optional(v.string()),
  MEDIA_S3_SECRET_ACCESS_KEY: v.optional(v.string()),
  ...identityProviderEntries,
  ...slackAppEntries,
})

const requiredWithBucket = (
  name: 'MEDIA_S3_ACCESS_KEY_ID' | 'MEDIA_S3_SECRET_ACCESS_KEY',
): v.GenericPipeAction<v.InferOutput<typeof EachVariable>> =>
  v.forward(
    v.partialCheck(
      [['MEDIA_S3_BUCKET'], [name]],
      (given) => given.MEDIA_S3_BUCKET === undefined || given[name] !== undefined,
      'is required with MEDIA_S3_BUCKET',
    ),
    [name],
  )

/** The settings, of which those that belong together are given together. */
export const Variables = v.pipe(
  EachVariable,
  v.forward(
    v.partialCheck(
      [['AI_BASE_URL'], ['AI_MODEL']],
      ({ AI_BASE_URL, AI_MODEL }) => AI_BASE_URL === undefined || AI_MODEL !== undefined,
      'is required with AI_BASE_URL: the name of the model to ask',
    ),
    ['AI_MODEL'],
  ),
  v.forward(
    v.partialCheck(
      [['TIDINGS_ADMIN_EMAIL'], ['TIDINGS_ADMIN_PASSWORD']],
      ({ TIDINGS_ADMIN_EMAIL: email, TIDINGS_ADMIN_PASSWORD: password }) =>
        (email === undefined) === (password === undefined),
      'and TIDINGS_ADMIN_PASSWORD belong together: set both or neither',
    ),
    ['TIDINGS_ADMIN_EMAIL'],
  ),
  v.forward(
    v.partialCheck(
      [['SMTP_URL'], ['MAIL_FROM']],
      ({ SMTP_URL, MAIL_FROM }) => SMTP_URL === undefined || MAIL_FROM !== undefined,
      'is required with SMTP_URL: the address that emails come from',
    ),
    ['MAIL_FROM'],
  ),
  v.forward(
    v.partialCheck(
      [['BACKUP_TO'], ['BACKUP_PASSPHRASE']],
      (given) => given.BACKUP_TO === undefined || given.BACKUP_PASSPHRASE !== undefined,
      'is required with BACKUP_TO: it encrypts the secret in the backups',
    ),
    ['BACKUP_PASSPHRASE'],
  ),
  v.forward(
    v.partialCheck(
      [['BACKUP_TO'], ['BACKUP_S3_ACCESS_KEY_ID'], ['BACKUP_S3_SECRET_ACCESS_KEY']],
      (given) =>
        !given.BACKUP_TO?.startsWith('s3://') ||
        (given.BACKUP_S3_ACCESS_KEY_ID !== undefined &&
          given.BACKUP_S3_SECRET_ACCESS_KEY !== undefined),
      'and BACKUP_S3_SECRET_ACCESS_KEY are required with a bucket in BACKUP_TO',
    ),
    ['BACKUP_S3_ACCESS_KEY_ID'],
  ),
  requiredWithBucket('MEDIA_S3_ACCESS_KEY_ID'),
  requiredWithBucket('MEDIA_S3_SECRET_ACCESS_KEY'),
)

export type Variables = v.InferOutput<typeof Variables>
export type TraceSampler = (typeof traceSamplers)[number]
