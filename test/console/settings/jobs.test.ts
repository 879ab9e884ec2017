import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Team } from '../../../src/features/teams/index.ts'
import { transaction } from '../../../src/lib/database/db.ts'
import { startApp, type TestApp, testSecret } from '../../support/app.ts'
import { type Person, signedIn } from '../../support/console.ts'
import { createDataDir, startProcess } from '../../support/processes/process.ts'
import { urlOf } from '../../support/run/test-run.ts'

let app: TestApp
let team: Team
let admin: Person
let other: Team

beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  other = await app.team()
  admin = await signedIn(app, team, 'admin')
})
afterAll(() => app.close())

type State = 'created' | 'retry' | 'active' | 'failed' | 'completed'

/** Adds a job as a feature does and puts it into a state. */
async function addJob(
  of: Team | null,
  state: State,
  reason: string | null = null,
  name = 'send-preview-email',
): Promise<string> {
  const data = of ? { teamId: of.id, emailId: 'ml_1' } : {}
  const { queue } = app.forwarder
  // In one transaction, so that no process runs the job.
  const [job] = await transaction(app.sql, async (tx) => {
    await queue.add(tx, { name }, data)
    return await tx<{ id: string }[]>`
      update pgboss.job set state = ${state}, output = ${app.sql.json({ message: reason })},
        completed_on = case when ${state} in ('failed', 'completed') then now() end
      where id = (select id from pgboss.job order by id desc limit 1) returning id`
  })
  return `${name}.${job?.id}`
}

const cells = (html: string, label: string) =>
  (html.split(label)[1]?.split('</tr>')[0] ?? '')
    .split('<td')
    .slice(1, 6)
    .map((cell) => Number(/>\D*(\d+)/.exec(cell.replace(/^[^>]*/, ''))?.[1]))

test('the jobs page counts the jobs of the team and of the installation by state', async () => {
  const states = ['created', 'created', 'retry', 'active', 'completed', 'failed'] as const
  for (const state of states) await addJob(team, state)
  await addJob(null, 'completed')
  await addJob(other, 'created')
  const { html } = await admin.get('/settings/jobs')
  expect(cells(html, 'Preview emails')).toEqual([2, 1, 1, 1, 2])
})

test('each job of a running service has a name of its own on the jobs page', async () => {
  const dataDir = await createDataDir()
  const service = startProcess(dataDir.path, {
    DATABASE_URL: urlOf(app.database.address),
    TIDINGS_SECRET: testSecret,
    BACKUP_TO: `${dataDir.path}/backups`,
    BACKUP_PASSPHRASE: 'long boats on a cold lake',
  })
  await service.ready()
  service.process.kill('SIGTERM')
  await service.exited
  const queues = await app.sql<{ name: string }[]>`
    select name from pgboss.queue where name not like '\\_\\_%' and name not like 'purge-%'`
  expect(queues.length).toBeGreaterThan(15)
  for (const { name } of queues) await addJob(null, 'failed', 'It failed.', name)
  const { html } = await admin.get('/settings/jobs')
  const failed = html.slice(html.indexOf('Failed jobs</h2>'))
  expect(failed).toContain('Emails about mentions, assignments and reminders')
  for (const name of ['Other jobs', 'Cleanup']) expect(failed).not.toContain(name)
  await app.sql`delete from pgboss.job where output ->> 'message' = 'It failed.'`
  await dataDir.remove()
})

test('a failed job shows its reason without addresses, and nothing of another team', async () => {
  const reason = 'Refused ada@people.test at https://mail.test/secret-path'
  await addJob(team, 'failed', reason)
  await addJob(other, 'failed', 'Only for the other team.')
  const { html } = await admin.get('/settings/jobs')
  expect(html).toContain('Refused …@… at https://mail.test')
  expect(html).not.toContain('ada@people.test')
  expect(html).not.toContain('secret-path')
  expect(html).not.toContain('Only for the other team.')
})

test('Retry gives a failed job one more attempt and is in the audit log', async () => {
  const reference = await addJob(team, 'failed', 'The mail server refused the email (550).')
  const path = `/settings/jobs/${reference}/retry`
  expect((await admin.post(path)).location).toBe('/settings/jobs')
  const [job] = await app.sql`
    select state, retry_limit > retry_count as again from pgboss.job
    where id = ${reference.split('.')[1] ?? ''}`
  expect({ ...job }).toEqual({ state: 'retry', again: true })
  expect((await admin.get('/settings/audit')).html).toContain('Retried a failed job')
  expect((await admin.post(path)).status).toBe(404)
})

test('Retry refuses a job of another team and a reference that is none', async () => {
  const foreign = await addJob(other, 'failed', 'no')
  for (const reference of [foreign, 'forward.1', `x';drop.${crypto.randomUUID()}`]) {
    const { status } = await admin.post(`/settings/jobs/${encodeURIComponent(reference)}/retry`)
    expect(status).toBe(404)
  }
  const [job] =
    await app.sql`select state from pgboss.job where id = ${foreign.split('.')[1] ?? ''}`
  expect(job?.['state']).toBe('failed')
})

test('only admins see the page with the background jobs', async () => {
  const editor = await signedIn(app, team, 'editor')
  expect((await editor.get('/settings/jobs')).status).toBe(403)
})
