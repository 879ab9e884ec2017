import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as v from 'valibot'
import type { IdentityProvider } from './features/sessions/index.ts'
import { identityProviderEntries, identityProvidersOf } from './identity-provider-settings.ts'
import { parseDatabaseUrl } from './lib/database-url.ts'
import type { DatabaseAddress } from './lib/db.ts'
import type { S3Settings } from './lib/s3.ts'

const whole = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d+$/, `must be a whole number from ${least} to ${most}`),
    v.transform(Number),
    v.minValue(least, `must be at least ${least}`),
    v.maxValue(most, `must be at most ${most}`),
  )

const webOrigin = v.pipe(
  v.string(),
  v.check(
    (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
    'must be an http or https address',
  ),
  v.transform((value) => value.replace(/\/+$/, '')),
)

const mailServer = v.pipe(
  v.string(),
  v.check(
    (value) => /^smtps?:\/\/[^/]/.test(value) && URL.canParse(value),
    'must be an address such as smtp://user:password@mail.example.com:587',
  ),
)

/** `Name <address>`, or only an address. */
const mailSender = v.pipe(
  v.string(),
  v.regex(
    /^(?:[^<>"\p{Cc}]*<)?[^\s<>@,;:"()]+@[^\s<>@,;:"()]+>?$/u,
    'must be an address such as Tidings <news@example.com>',
  ),
  v.transform((value) => {
    const [, name = '', address = ''] = /^(?:(.*)<)?([^<>]+)>?$/.exec(value) ?? []
    return { name: name.trim(), address }
  }),
)

const example = /^(?:changeme|change-me|secret|password|example|test|tidings)\W*\d*$/i

/** The samplers of the OpenTelemetry specification. */
const traceSamplers = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const

const Settings = v.object({
  PORT: v.optional(whole(0, 65_535), '3000'),
  HOST: v.optional(
    v.pipe(
      v.string(),
      v.check((value) => isIP(value) !== 0, 'must be an IP address of this machine'),
    ),
  ),
  BASE_URL: v.optional(webOrigin),
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^postgres(?:ql)?:\/\//, 'must start with postgres://'),
      v.transform(parseDatabaseUrl),
    ),
  ),
  DB_POOL: v.optional(whole(6, 1_000), '24'),
  DATA_DIR: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), './data'),
  TIDINGS_SECRET: v.optional(
    v.pipe(
      v.string(),
      v.minLength(32, 'must have at least 32 characters; generate it with: openssl rand -hex 32'),
      v.check((value) => !example.test(value), 'must not be an example value'),
    ),
  ),
  TIDINGS_NEW_SECRET: v.optional(
    v.nullable(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
    null,
  ),
  TIDINGS_ADMIN_EMAIL: v.optional(v.pipe(v.string(), v.trim(), v.email('must be a mail address'))),
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
  OUTBOUND_ALLOW_PRIVATE: v.optional(
    v.pipe(
      v.string(),
      v.transform((value) => value.split(',').map((host) => host.trim().toLowerCase())),
      v.transform((hosts) => hosts.filter((host) => host !== '')),
    ),
    '',
  ),
  INGEST_URL: v.optional(webOrigin),
  AI_DRAFTS_PER_MONTH: v.optional(whole(0, 1_000_000)),
  BACKUP_PASSPHRASE: v.optional(
    v.pipe(v.string(), v.minLength(12, 'must have at least 12 characters')),
  ),
  BACKUP_TO: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty'))),
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
    v.nullable(v.pipe(v.string(), v.minLength(16, 'must have at least 16 characters'))),
    null,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(webOrigin),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: v.optional(webOrigin),
  OTEL_SDK_DISABLED: v.optional(v.string(), 'false'),
  OTEL_TRACES_SAMPLER: v.optional(
    v.picklist(traceSamplers, `must be one of ${traceSamplers.join(', ')}`),
    'parentbased_always_on',
  ),
  OTEL_TRACES_SAMPLER_ARG: v.optional(
    v.pipe(
      v.string(),
      v.transform(Number),
      v.number('must be a number from 0 to 1'),
      v.minValue(0, 'must be a number from 0 to 1'),
      v.maxValue(1, 'must be a number from 0 to 1'),
    ),
    '1',
  ),
  SMTP_URL: v.optional(mailServer),
  MAIL_FROM: v.optional(mailSender),
  MEDIA_S3_BUCKET: v.optional(v.string()),
  MEDIA_S3_ENDPOINT: v.optional(webOrigin),
  MEDIA_S3_REGION: v.optional(v.string()),
  MEDIA_S3_ACCESS_KEY_ID: v.optional(v.string()),
  MEDIA_S3_SECRET_ACCESS_KEY: v.optional(v.string()),
  ...identityProviderEntries,
})

/** All settings of an operator, parsed once; the README has a table of them. */
export interface Config {
  port: number
  /** The address to listen on; null: all addresses. */
  host: string | null
  /** The URL with which people and providers reach the service, without a slash at the end. */
  baseUrl: string
  /** Null: the embedded PostgreSQL. */
  databaseUrl: DatabaseAddress | null
  /** The maximum number of database connections of this process. */
  dbPool: number
  /** An absolute path. */
  dataDir: string
  /** Null: created once and stored in `dataDir`. */
  secret: string | null
  /** The secret after `tidings secret rotate`; null: a random one. */
  newSecret: string | null
  /** The first admin, who is created at the start; null: the person who opens the set-up link. */
  admin: { email: string; password: string } | null
  /** An OpenAI-compatible endpoint for AI drafts; null: there are none. */
  ai: { baseUrl: string; apiKey: string | null; model: string } | null
  logLevel: string
  role: 'all' | 'web' | 'worker'
  /** How long a stopping process still responds while it is not ready. */
  drainSeconds: number
  /** The number of the operator's proxies that set `X-Forwarded-For`. */
  trustedProxies: number
  /** Private hosts (`host` or `host:port`) that requests to providers may reach. */
  outboundAllowPrivate: readonly string[]
  /** The URL of ingest for forwarding; null: this process on loopback. */
  ingestUrl: string | null
  /** How many AI drafts a team may create per calendar month; null: the limit of its plan. */
  aiDraftsPerMonth: number | null
  /** Encrypts the secret in backups; null: backups do not contain the secret. */
  backupPassphrase: string | null
  /** Scheduled backups into a folder (an absolute path) or a bucket; null: there are none. */
  backup: {
    to: string | { bucket: S3Settings; prefix: string }
    everyHours: number
    keep: number
  } | null
  /**
   * `/metrics`: on a port of its own, or else on that of the service, where the token is required;
   * null: there are no metrics.
   */
  metrics: { port: number | null; token: string | null } | null
  /** Which requests are traced; null: there are no traces. */
  tracing: { sampler: (typeof traceSamplers)[number]; sampledShare: number } | null
  /** Null: emails are captured instead of sent. */
  smtpUrl: string | null
  mailFrom: { name: string; address: string }
  /** The S3-compatible store of images; null: a folder in `dataDir`. */
  mediaS3: S3Settings | null
  /** With which people can sign in. */
  identityProviders: readonly IdentityProvider[]
  /** Whether people can sign in with a password or a passkey. */
  passwordSignIn: boolean
}

const requiredWithBucket = (
  name: 'MEDIA_S3_ACCESS_KEY_ID' | 'MEDIA_S3_SECRET_ACCESS_KEY',
): v.GenericPipeAction<v.InferOutput<typeof Settings>> =>
  v.forward(
    v.partialCheck(
      [['MEDIA_S3_BUCKET'], [name]],
      (given) => given.MEDIA_S3_BUCKET === undefined || given[name] !== undefined,
      'is required with MEDIA_S3_BUCKET',
    ),
    [name],
  )

const Consistent = v.pipe(
  Settings,
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
      'is required with SMTP_URL: the address that mail comes from',
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

/**
 * The configuration from environment variables, frozen. Empty variables count as unset. Throws one
 * `Error` whose message contains every invalid variable.
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const result = v.safeParse(Consistent, given)
  if (!result.success) {
    const errors = result.issues.map((issue) => `  ${v.getDotPath(issue)} ${issue.message}`)
    throw new Error(`These settings are not valid:\n${errors.join('\n')}`)
  }
  const settings = result.output
  if (settings.ROLE === 'worker' && settings.INGEST_URL === undefined) {
    throw new Error('ROLE=worker serves no ingest itself: set INGEST_URL to a process that does.')
  }
  return Object.freeze({
    port: settings.PORT,
    host: settings.HOST ?? null,
    baseUrl: settings.BASE_URL ?? `http://localhost:${settings.PORT}`,
    databaseUrl: settings.DATABASE_URL ?? null,
    dbPool: settings.DB_POOL,
    dataDir: resolve(settings.DATA_DIR),
    secret: settings.TIDINGS_SECRET ?? null,
    newSecret: settings.TIDINGS_NEW_SECRET,
    admin: adminOf(settings),
    ai: aiOf(settings),
    logLevel: settings.LOG_LEVEL,
    role: settings.ROLE,
    drainSeconds: settings.DRAIN_SECONDS,
    trustedProxies: settings.TRUST_PROXY,
    outboundAllowPrivate: Object.freeze(settings.OUTBOUND_ALLOW_PRIVATE),
    ingestUrl: settings.INGEST_URL ?? null,
    aiDraftsPerMonth: settings.AI_DRAFTS_PER_MONTH ?? null,
    backupPassphrase: settings.BACKUP_PASSPHRASE ?? null,
    backup: backupOf(settings),
    metrics: metricsOf(settings),
    tracing: tracingOf(settings),
    smtpUrl: settings.SMTP_URL ?? null,
    mailFrom: settings.MAIL_FROM ?? { name: 'Tidings', address: 'tidings@localhost' },
    mediaS3: mediaS3Of(settings),
    identityProviders: identityProvidersOf(settings),
    passwordSignIn: settings.SIGN_IN === 'all',
  })
}

// The operator chooses this address, like that of the database, so http and private hosts are
// allowed. It never contains a value from a caller or a team (threat T-20).
function aiOf({ AI_BASE_URL, AI_API_KEY, AI_MODEL }: v.InferOutput<typeof Settings>): Config['ai'] {
  if (AI_BASE_URL === undefined || AI_MODEL === undefined) return null
  return Object.freeze({ baseUrl: AI_BASE_URL, apiKey: AI_API_KEY ?? null, model: AI_MODEL })
}

function adminOf({
  TIDINGS_ADMIN_EMAIL: email,
  TIDINGS_ADMIN_PASSWORD: password,
}: v.InferOutput<typeof Settings>): Config['admin'] {
  return email === undefined || password === undefined ? null : Object.freeze({ email, password })
}

function metricsOf(settings: v.InferOutput<typeof Settings>): Config['metrics'] {
  const { METRICS_TOKEN: token } = settings
  const port = settings.METRICS_PORT ?? null
  return port === null && token === null ? null : Object.freeze({ port, token })
}

function tracingOf(settings: v.InferOutput<typeof Settings>): Config['tracing'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = settings
  const isOff = settings.OTEL_SDK_DISABLED.toLowerCase() === 'true'
  if (isOff || (all === undefined && own === undefined)) return null
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: sampledShare } = settings
  return Object.freeze({ sampler, sampledShare })
}

function mediaS3Of(settings: v.InferOutput<typeof Settings>): Config['mediaS3'] {
  const { MEDIA_S3_BUCKET: bucket, MEDIA_S3_ACCESS_KEY_ID: accessKeyId } = settings
  const { MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return null
  const endpoint = settings.MEDIA_S3_ENDPOINT ?? null
  const region = settings.MEDIA_S3_REGION ?? null
  return Object.freeze({ bucket, accessKeyId, secretAccessKey, endpoint, region })
}

function backupOf(settings: v.InferOutput<typeof Settings>): Config['backup'] {
  const { BACKUP_TO: to, BACKUP_EVERY, BACKUP_KEEP: keep } = settings
  if (to === undefined) return null
  const everyHours = Number(BACKUP_EVERY)
  if (!to.startsWith('s3://')) return Object.freeze({ to: resolve(to), everyHours, keep })
  const [, name = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(to) ?? []
  const bucket = {
    bucket: name,
    accessKeyId: settings.BACKUP_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: settings.BACKUP_S3_SECRET_ACCESS_KEY ?? '',
    endpoint: settings.BACKUP_S3_ENDPOINT ?? null,
    region: settings.BACKUP_S3_REGION ?? null,
  }
  const folder = prefix.replace(/\/*$/, prefix === '' ? '' : '/')
  return Object.freeze({ to: { bucket, prefix: folder }, everyHours, keep })
}
