import { resolve } from 'node:path'
import * as v from 'valibot'
import type { AppCredentials } from '../contract/app-credentials.ts'
import type { IdentityProvider } from '../features/sessions/index.ts'
import type { DatabaseAddress } from '../lib/database/db.ts'
import type { S3Settings } from '../lib/outbound/s3.ts'
import { identityProvidersOf } from './identity-providers.ts'
import { appsOf } from './slack-app.ts'
import { type TraceSampler, Variables } from './variables.ts'

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
  tracing: { sampler: TraceSampler; sampledShare: number } | null
  /** Null: emails are captured instead of sent. */
  smtpUrl: string | null
  mailFrom: { name: string; address: string }
  /** The S3-compatible store of images; null: a folder in `dataDir`. */
  mediaS3: S3Settings | null
  /** The identity providers with which people can sign in. */
  identityProviders: readonly IdentityProvider[]
  /** Whether people can sign in with a password or a passkey. */
  passwordSignIn: boolean
  /** Who creates teams in the console: nobody, the admins of any team, or everybody. */
  createTeams: 'nobody' | 'admins' | 'everybody'
  /** The operator's apps, which admins add to their workspace, by the slug of their integration. */
  apps: ReadonlyMap<string, AppCredentials>
}

/**
 * The configuration from environment variables, frozen. Empty variables count as unset. Throws one
 * `Error` whose message contains every invalid variable.
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const result = v.safeParse(Variables, given, { abortEarly: false })
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
    createTeams: settings.CREATE_TEAMS,
    apps: appsOf(settings),
  })
}

// The operator chooses this address, like that of the database, so http and private hosts are
// allowed. It never contains a value from a caller or a team (threat T-20).
function aiOf({ AI_BASE_URL, AI_API_KEY, AI_MODEL }: Variables): Config['ai'] {
  if (AI_BASE_URL === undefined || AI_MODEL === undefined) return null
  return Object.freeze({ baseUrl: AI_BASE_URL, apiKey: AI_API_KEY ?? null, model: AI_MODEL })
}

function adminOf({
  TIDINGS_ADMIN_EMAIL: email,
  TIDINGS_ADMIN_PASSWORD: password,
}: Variables): Config['admin'] {
  return email === undefined || password === undefined ? null : Object.freeze({ email, password })
}

function metricsOf(settings: Variables): Config['metrics'] {
  const { METRICS_TOKEN: token } = settings
  const port = settings.METRICS_PORT ?? null
  return port === null && token === null ? null : Object.freeze({ port, token })
}

function tracingOf(settings: Variables): Config['tracing'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = settings
  const isOff = settings.OTEL_SDK_DISABLED.toLowerCase() === 'true'
  if (isOff || (all === undefined && own === undefined)) return null
  const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: sampledShare } = settings
  return Object.freeze({ sampler, sampledShare })
}

function mediaS3Of(settings: Variables): Config['mediaS3'] {
  const { MEDIA_S3_BUCKET: bucket, MEDIA_S3_ACCESS_KEY_ID: accessKeyId } = settings
  const { MEDIA_S3_SECRET_ACCESS_KEY: secretAccessKey } = settings
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined)
    return null
  const endpoint = settings.MEDIA_S3_ENDPOINT ?? null
  const region = settings.MEDIA_S3_REGION ?? null
  return Object.freeze({ bucket, accessKeyId, secretAccessKey, endpoint, region })
}

function backupOf(settings: Variables): Config['backup'] {
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
