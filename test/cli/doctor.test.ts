import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { translateTo } from '../../src/console/locales/index.ts'
import { revokeKey } from '../../src/features/api-keys/index.ts'
import { forwardJob } from '../../src/features/deliveries/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { fingerprintOf } from '../../src/lib/secrets/encryption.ts'
import { signedIn } from '../support/console.ts'
import { type Installation, install } from '../support/processes/cli.ts'
import { startProvider } from '../support/providers/ai-provider.ts'
import { connectFakeProvider, createFakeAdapter } from '../support/providers/fake-provider.ts'
import {
  clientId,
  clientSecret,
  startIdentityProvider,
} from '../support/providers/oidc-provider.ts'
import { startS3 } from '../support/providers/s3.ts'
import { startMailServer } from '../support/providers/smtp.ts'
import { temporaryFolder } from '../support/run/test-run.ts'

let at: Installation
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  at = await install({ adapters: [createFakeAdapter().adapter], forward: false })
  mail = await startMailServer()
})
afterAll(async () => {
  await mail.close()
  await at.remove()
})

interface Found {
  check: string
  status: string
  message: string
  action: string | null
}

/** The badges of Settings → Health: what fails is first. */
const tones: (string | undefined)[] = ['danger', 'warning', 'success']

/** Every message and action of the tests in this file. */
const sentences = new Set<string>()

/** Runs the checks with other settings. */
async function doctor(env: Record<string, string> = {}, on = at) {
  const fine = { BASE_URL: on.app.base, SMTP_URL: mail.url, MAIL_FROM: 'news@acme.test' }
  const { code, out } = await on.tidingsWith({ ...fine, ...env }, 'doctor', '--json')
  const { findings } = JSON.parse(out) as { findings: Found[] }
  for (const { check, message, action } of findings) {
    // A command that cannot start; the console has started.
    if (check !== 'Start') sentences.add(message).add(action ?? '')
  }
  return { code, findings, of: (check: string) => findings.find((one) => one.check === check) }
}

test('doctor checks settings, secret, database, disk, backups, email, address, connections and jobs', async () => {
  const { code, findings } = await doctor()
  const byStatus = Object.fromEntries(findings.map(({ check, status }) => [check, status]))
  expect(byStatus).toEqual({
    Settings: 'warning',
    Secret: 'ok',
    Database: 'ok',
    'Database encoding': 'ok',
    'Database connections': 'ok',
    Clock: 'ok',
    Disk: 'ok',
    Email: 'ok',
    Address: 'ok',
    Connections: 'ok',
    Jobs: 'ok',
    Backups: 'ok',
  })
  // Only that the tests' address is local.
  expect(code).toBe(1)
  expect(mail.mails).toEqual([])
})

test('every finding that is not fine says what to do, and the exit code is 2 for a failure', async () => {
  const { code, findings, of } = await doctor({
    SMTP_URL: 'smtp://127.0.0.1:1',
    BASE_URL: 'https://tidings.invalid',
  })
  expect(code).toBe(2)
  expect(of('Email')).toMatchObject({
    status: 'failing',
    action: expect.stringContaining('SMTP_URL'),
  })
  expect(of('Address')).toMatchObject({
    status: 'failing',
    action: expect.stringContaining('BASE_URL'),
  })
  for (const { status, action } of findings) expect(action === null).toBe(status === 'ok')
})

test('a database that cannot be opened is a failure with what to do', async () => {
  const { code, findings } = await doctor({
    DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:1/none',
  })
  expect(code).toBe(2)
  expect(findings).toMatchObject([{ check: 'Start', status: 'failing' }])
  expect(findings[0]?.message).toContain('start PostgreSQL there, or correct DATABASE_URL')
  expect(JSON.stringify(findings)).not.toContain('secret-word')
})

test('a failing connection, a late job and a failed job are found, in the command and in the console', async () => {
  const { app } = at
  const team = await app.team('harbour')
  const fakeProvider = await connectFakeProvider(app, team)
  await revokeKey(systemContext(app.forwarder, team.id), fakeProvider.connection.apiKeyId)
  await fakeProvider.send({ id: 'd1', items: [{ title: 'One' }] })
  await app.sql`update pgboss.job set start_after = now() - interval '10 minutes' where state = 'created'`
  // A process took two other jobs before it was killed, and completed one.
  await app.sql`
    insert into pgboss.job (name, group_id, state, started_on, heartbeat_on, completed_on)
    select name, group_id, state, start_after, start_after, case when state = 'completed' then start_after end
    from (select name, group_id, start_after from pgboss.job where name = 'forward') late
    cross join unnest(array['active', 'completed']::pgboss.job_state[]) state`
  await app.sql`
    insert into pgboss.job (name, data, state, completed_on)
    values ('send-preview-email', ${app.sql.json({ teamId: team.id })}, 'failed', now())`
  const { code, findings, of } = await doctor()
  expect(code).toBe(2)
  expect(of('Connection harbour / fake-provider')).toMatchObject({
    status: 'failing',
    action: 'Replace the key of the connection. Its address stays the same.',
  })
  const jobs = findings.filter(({ check }) => check === 'Jobs').map(({ message }) => message)
  expect(jobs).toEqual(['A job has waited for 10 minutes.', '1 job has failed.'])

  const admin = await signedIn(app, team, 'admin')
  const { html } = await admin.get('/settings/health')
  expect(html).toContain('A job has waited for 10 minutes.')
  expect(html).toContain('Replace the key of the connection.')
  const states = [...html.matchAll(/class="badge (danger|warning|success)"/g)].map(
    ([, tone]) => tone,
  )
  expect(states).toEqual(states.toSorted((one, other) => tones.indexOf(one) - tones.indexOf(other)))
  expect(new Set(states)).toEqual(new Set(tones))
  const other = await signedIn(app, await app.team(), 'admin')
  expect((await other.get('/settings/health')).html).not.toContain(
    'Replace the key of the connection.',
  )
  const editor = await signedIn(app, team, 'editor')
  expect((await editor.get('/settings/health')).status).toBe(403)
})

test('deliveries that wait while a process forwards others are no failure, unless later ones overtake them', async () => {
  const busy = await install({ adapters: [createFakeAdapter().adapter], forward: false })
  const { sql, forwarder } = busy.app
  const team = await busy.app.team()
  const redelivered = await connectFakeProvider(busy.app, team)
  for (const id of ['d1', 'd2', 'd3']) await redelivered.send({ id, items: [{ title: id }] })
  // As with a key that is over its limit: each delivery waits in its worker.
  const [taken, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let started = 0
  const workers = await forwarder.queue.work(
    forwardJob,
    { concurrency: 2, concurrencyPerGroup: 2 },
    async () => {
      started += 1
      if (started === 2) taken.resolve()
      await ended.promise
    },
  )
  await taken.promise
  await sql`update pgboss.job set start_after = now() - interval '10 minutes' where state = 'created'`
  const message =
    'A job has waited for 10 minutes. Jobs before it are being processed, so it continues by itself.'
  const working = await doctor({}, busy)
  expect(working.code).toBe(1)
  expect(working.of('Jobs')).toMatchObject({ status: 'ok', message, action: null })

  const other = await connectFakeProvider(busy.app, team)
  await sql`delete from pgboss.job where state = 'created'`
  await other.send({ id: 'd4', items: [{ title: 'After those of the first connection' }] })
  await sql`update pgboss.job set start_after = now() - interval '10 minutes' where state = 'created'`
  expect((await doctor({}, busy)).of('Jobs')).toMatchObject({ status: 'ok', message })
  await sql`update pgboss.job set created_on = now() - interval '10 minutes' where state = 'created'`
  expect((await doctor({}, busy)).of('Jobs')).toMatchObject({
    status: 'failing',
    message: 'A job has waited for 10 minutes.',
  })
  ended.resolve()
  await workers.stop()
  await busy.remove()
})

test('a connection whose jobs no process takes is found while older jobs of another connection are retried', async () => {
  const idle = await install({ adapters: [createFakeAdapter().adapter], forward: false })
  const { sql } = idle.app
  const team = await idle.app.team()
  const retried = await connectFakeProvider(idle.app, team)
  for (const id of ['d1', 'd2']) await retried.send({ id, items: [{ title: id }] })
  await sql`
    update pgboss.job set state = 'retry', retry_count = 2, created_on = now() - interval '1 hour',
      start_after = now() - interval '1 minute' where name = ${forwardJob.name}`
  await sql`
    update pgboss.job set state = 'active', heartbeat_on = now()
    where name = ${forwardJob.name} and data->>'deliveryId' = (select min(id::text) from deliveries)`
  expect((await doctor({}, idle)).of('Jobs')).toMatchObject({ status: 'ok' })
  const stuck = await connectFakeProvider(idle.app, team)
  await stuck.send({ id: 'd3', items: [{ title: 'Waits' }] })
  await sql`
    update pgboss.job set start_after = now() - interval '10 minutes', created_on = now() - interval '10 minutes'
    where state = 'created'`
  expect((await doctor({}, idle)).of('Jobs')).toMatchObject({
    status: 'failing',
    message: 'A job has waited for 10 minutes.',
  })
  await idle.remove()
})

test('doctor checks that each identity provider describes itself', async () => {
  const provider = await startIdentityProvider('http://tidings.test')
  const env = {
    OIDC_OKTA_CLIENT_ID: clientId,
    OIDC_OKTA_CLIENT_SECRET: clientSecret,
    OIDC_OKTA_ISSUER: provider.issuer,
  }
  expect((await doctor(env)).of('Sign-in with Okta')).toMatchObject({ status: 'ok' })
  await provider.close()
  expect((await doctor(env)).of('Sign-in with Okta')).toMatchObject({
    status: 'failing',
    message: 'Okta cannot be used: it cannot be reached.',
    action: expect.stringContaining('OIDC_OKTA_ISSUER'),
  })
})

const backupNames = (hoursAgo: number) =>
  `tidings-${new Date(Date.now() - hoursAgo * 3_600_000).toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`

test('doctor says how old the newest scheduled backup is, and fails when two were missed', async () => {
  const folder = await temporaryFolder('backups')
  const env = { BACKUP_TO: folder, BACKUP_PASSPHRASE: 'long boats on a cold lake' }
  const backups = async () => (await doctor(env)).of('Backups')
  expect(await backups()).toMatchObject({
    status: 'warning',
    action: expect.stringContaining('tidings backup FILE'),
  })
  await writeFile(join(folder, backupNames(50)), '')
  expect(await backups()).toMatchObject({
    status: 'failing',
    message: 'The newest backup is 50 h old.',
  })
  await writeFile(join(folder, backupNames(3)), '')
  expect(await backups()).toMatchObject({
    status: 'ok',
    message: 'The newest backup is 3 h old.',
  })
  expect(await readdir(folder)).toHaveLength(2)
})

test('doctor fails when scheduled backups fail, or when their destination cannot be written', async () => {
  const store = startS3()
  const bucket = {
    BACKUP_TO: 's3://tidings',
    BACKUP_PASSPHRASE: 'long boats on a cold lake',
    BACKUP_S3_ENDPOINT: store.settings.endpoint,
    BACKUP_S3_REGION: store.settings.region,
    BACKUP_S3_ACCESS_KEY_ID: 'key',
    BACKUP_S3_SECRET_ACCESS_KEY: 'secret',
  }
  store.objects.set(backupNames(1), new Uint8Array())
  expect((await doctor(bucket)).of('Backups')).toMatchObject({ status: 'ok' })
  const wrong = (await doctor({ ...bucket, BACKUP_S3_SECRET_ACCESS_KEY: 'no' })).of('Backups')
  expect(wrong).toMatchObject({
    status: 'failing',
    message: expect.stringContaining('correct BACKUP_S3_ACCESS_KEY_ID'),
  })

  const { sql, forwarder } = at.app
  await forwarder.queue.schedule('backup', '7 3 * * *', async () => {})
  await sql`
    insert into pgboss.job (name, state, completed_on, output)
    values ('backup', 'failed', now(), ${sql.json({ message: 'The bucket in BACKUP_TO does not exist: create it.' })})`
  const { findings } = await doctor(bucket)
  const failed = findings.filter(({ check, status }) => check === 'Backups' && status !== 'ok')
  expect(failed).toMatchObject([
    { message: 'The last backup failed: The bucket in BACKUP_TO does not exist: create it.' },
  ])
  await store.close()
})

test('doctor fails when the bucket of images cannot be written', async () => {
  const store = startS3()
  const bucket = {
    MEDIA_S3_BUCKET: store.settings.bucket,
    MEDIA_S3_ENDPOINT: store.settings.endpoint,
    MEDIA_S3_REGION: store.settings.region,
    MEDIA_S3_ACCESS_KEY_ID: store.settings.accessKeyId,
    MEDIA_S3_SECRET_ACCESS_KEY: store.settings.secretAccessKey,
  }
  expect((await doctor(bucket)).of('Images')).toMatchObject({ status: 'ok' })
  expect(store.objects.size).toBe(0)
  const wrong = (await doctor({ ...bucket, MEDIA_S3_SECRET_ACCESS_KEY: 'no' })).of('Images')
  expect(wrong).toMatchObject({
    status: 'failing',
    message: 'The bucket of images cannot be written.',
    action: expect.stringContaining('MEDIA_S3_ENDPOINT'),
  })
  await store.close()
})

test('doctor says whether the AI service is reachable, accepts the key and has the model', async () => {
  const provider = startProvider()
  const settings = {
    AI_BASE_URL: provider.baseUrl,
    AI_MODEL: 'test-model',
    AI_API_KEY: 'sk-right',
  }
  const withKey = (models: readonly string[]) => (request: Request) =>
    request.headers.get('authorization') === 'Bearer sk-right'
      ? Response.json({ data: models.map((id) => ({ id })) })
      : Response.json({}, { status: 401 })
  provider.listModels = withKey(['other', 'test-model'])
  expect((await doctor(settings)).of('AI')).toMatchObject({ status: 'ok' })
  const wrongKey = await doctor({ ...settings, AI_API_KEY: 'sk-wrong' })
  expect(wrongKey.of('AI')).toMatchObject({ status: 'failing', action: 'Correct AI_API_KEY.' })
  expect(JSON.stringify(wrongKey.findings)).not.toContain('sk-wrong')
  provider.listModels = withKey(['other'])
  expect((await doctor(settings)).of('AI')).toMatchObject({
    status: 'warning',
    message: 'The AI service does not list the model test-model.',
  })
  provider.listModels = () => new Response('Not here', { status: 404 })
  expect((await doctor(settings)).of('AI')).toMatchObject({ status: 'ok' })
  provider.listModels = () => new Response('Down', { status: 502 })
  expect((await doctor(settings)).of('AI')).toMatchObject({
    status: 'failing',
    message: 'The AI service answers 502.',
    action: expect.stringContaining('AI_BASE_URL'),
  })
  expect(provider.calls).toEqual([])
  await provider.close()
  expect((await doctor(settings)).of('AI')).toMatchObject({
    status: 'failing',
    message: 'The AI service is not reachable from this machine.',
  })
})

test('a secret that can be guessed is found, in TIDINGS_SECRET and in the file', async () => {
  const guessable = 'tidings-tidings-tidings-tidings-'
  const weak = await install()
  const secret_fingerprint = fingerprintOf(guessable)
  await weak.app.sql`
    insert into installation ${weak.app.sql({ secret_fingerprint })}
    on conflict (only_row) do update set secret_fingerprint = excluded.secret_fingerprint`
  const env = { BASE_URL: weak.app.base }
  const inSetting = await weak.tidingsWith({ ...env, TIDINGS_SECRET: guessable }, 'doctor')
  const dataDir = await temporaryFolder('weak-secret')
  await writeFile(join(dataDir, 'secret'), guessable, { mode: 0o600 })
  const inFile = await weak.tidingsWith({ ...env, TIDINGS_SECRET: '', DATA_DIR: dataDir }, 'doctor')
  await weak.remove()
  for (const { code, out } of [inSetting, inFile]) {
    expect(code).toBe(1)
    expect(out).toContain('warning Secret: The secret can be guessed.')
    expect(out).toContain('tidings secret rotate')
  }
})

test('more connections for a process than the database accepts are found', async () => {
  expect((await doctor({ DB_POOL: '1000' })).of('Database connections')).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/^DB_POOL is 1000, and the database accepts \d+ connections\.$/),
    action: expect.stringContaining('max_connections'),
  })
})

test('connections of other users, and limits of the user or the database, are counted', async () => {
  const limited = await install({ adapters: [], forward: false })
  const { sql } = limited.app
  const found = async () => (await doctor({}, limited)).of('Database connections')
  const [{ name = '' } = {}] = await sql<{ name: string }[]>`select current_database() as name`
  await sql`alter database ${sql(name)} connection limit 60`
  expect(await found()).toMatchObject({
    status: 'ok',
    message: expect.stringMatching(/^\d+ of 60 connections are in use\.$/),
  })
  await sql`alter database ${sql(name)} connection limit 20`
  expect(await found()).toMatchObject({
    status: 'warning',
    message: 'DB_POOL is 24, and the database accepts 20 connections.',
    action:
      'Raise the limit there (max_connections, or that of the user or the database), or lower DB_POOL.',
  })
  // What PostgreSQL shows of the sessions of other users.
  await sql`create schema pretended`
  await sql`
    create view pretended.pg_stat_activity as
    select datid, datname, usesysid, usename, backend_type from pg_catalog.pg_stat_activity
    union all select 5, 'other', 16384, 'other', null from generate_series(1, 370)`
  await sql`alter database ${sql(name)} set search_path = pretended, pg_catalog, public`
  await sql`alter database ${sql(name)} connection limit -1`
  expect(await found()).toMatchObject({
    status: 'warning',
    message: expect.stringMatching(/^[34]\d\d of \d+ connections are in use\.$/),
  })
  await limited.remove()
})

test('why the mail server cannot be used is said: no such host, refused, no mail server, wrong password', async () => {
  const web = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data() {}, open: (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') },
  })
  const closed = await startMailServer({ login: { user: 'ada', password: 'right' } })
  const cases = {
    'smtp://mail.invalid': 'The mail server could not be reached: its host name is not known.',
    'smtp://127.0.0.1:1': 'The mail server could not be reached: it refuses connections.',
    [`smtp://127.0.0.1:${web.port}`]:
      'The server in SMTP_URL does not answer as a mail server does.',
    [`smtps://127.0.0.1:${web.port}`]:
      'No encrypted connection to the mail server is possible: check its port and its certificate.',
    [closed.url.replace('//', '//ada:wrong@')]:
      'The mail server refused the user or the password of SMTP_URL (535).',
  }
  for (const [SMTP_URL, message] of Object.entries(cases)) {
    expect((await doctor({ SMTP_URL })).of('Email')).toMatchObject({ status: 'failing', message })
  }
  web.stop(true)
  await closed.close()
})

test('what doctor says is in German in the console of a German team', async () => {
  const passphrase = { BACKUP_PASSPHRASE: 'long boats on a cold lake' }
  await doctor({ ...passphrase, BACKUP_TO: '/dev/null/backups' })
  const { fromEnglish } = translateTo('de')
  const english = /\b(?:the|to|is|and|of|there|correct)\b/
  const inEnglish = [...sentences]
    .map((text) => fromEnglish(text))
    .filter((text) => english.test(text))
  expect(inEnglish).toEqual([])
})
