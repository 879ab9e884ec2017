import { expect, test } from 'bun:test'
import { adapter as github } from '../../../integrations/github/adapter.ts'
import { recordAudit } from '../../../src/features/audit-log/index.ts'
import { createNewsletter } from '../../../src/features/newsletters/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { startApp } from '../../support/app.ts'
import { logIn, member, person } from '../../support/console.ts'

test('the audit log shows providers by their names, and addresses in their short form', async () => {
  const app = await startApp({ adapters: [github], forward: false, trustedProxies: 1 })
  const { email } = await member(app, await app.team(), 'admin')
  const admin = person(app.base, { 'x-forwarded-for': '::1' })
  await logIn(admin, email)
  await admin.get('/integrations/connect/github')
  await admin.post('/integrations/connect/github', { secret: 'a secret of a test' })
  const { html } = await admin.get('/settings/audit')
  const text = html.slice(html.indexOf('<tbody')).replaceAll(/<[^>]+>/g, ' ')
  expect(text).toContain('GitHub')
  expect(text).toContain('::1')
  expect(text).not.toMatch(/0000:|\bcn_|\bgithub\b/)
  await app.close()
})

test('the command line and the form for submissions have their names in the language of who reads the audit log and a history', async () => {
  const app = await startApp()
  const team = await app.team()
  const { email } = await member(app, team, 'admin')
  const admin = person(app.base, { 'accept-language': 'de' })
  await logIn(admin, email)
  await admin.get('/settings/submissions')
  await admin.post('/settings/submissions/create')
  const { html } = await admin.get('/settings/submissions')
  const form = new URL(/id="link" value="([^"]+)"/.exec(html)?.[1] ?? '').pathname
  const news = { title: 'Ten years', body: 'We celebrate.', block_type: 'general', author: '' }
  const sender = person(app.base, { 'accept-language': 'de' })
  await sender.post(form, { ...news, id: crypto.randomUUID(), image_alt: '' })
  const { id } = await createNewsletter(
    systemContext(
      { sql: app.sql, now: systemClock, baseUrl: app.base },
      team.id,
      'The command line',
    ),
    { title: 'November', template_slug: 'clean', status: 'draft' },
  )
  const log = await admin.get('/settings/audit')
  expect(log.html).toContain('>Formular für Einsendungen</a>')
  expect(log.html).toContain('>Die Befehlszeile</a>')
  expect((await admin.get(`/newsletters/${id}/history`)).html).toContain('Die Befehlszeile')
  const reader = person(app.base, { 'accept-language': 'en' })
  await logIn(reader, email)
  const english = await reader.get('/settings/audit?actor=Submission+form')
  expect(english.html).toContain('>Submission form</a>')
  expect(english.html).toContain('<strong>Submission form</strong>')
  await app.close()
})

test('entries that earlier versions stored with the German name of the form for submissions are shown and found with the others', async () => {
  const app = await startApp()
  const team = await app.team()
  const { email } = await member(app, team, 'admin')
  const contextAt = (second: number) => ({
    sql: app.sql,
    now: () => new Date(Date.UTC(2026, 10, 20, 9, 0, second)),
  })
  const names = ['Formular für Einsendungen', 'Submission form']
  for (let n = 0; n < 60; n++) {
    const ctx = systemContext(contextAt(n), team.id, names[n % 2])
    await recordAudit(ctx, 'block_created', `Block ${n}`)
  }
  await recordAudit(systemContext(contextAt(60), team.id), 'block_created', 'Of nobody')
  const reader = person(app.base, { 'accept-language': 'en' })
  await logIn(reader, email)
  const shown = (html: string) =>
    [...html.matchAll(/<strong>Block (\d+)<\/strong>/g)].map(([, n]) => Number(n))
  for (const actor of names) {
    const page = `/settings/audit?actor=${encodeURIComponent(actor)}`
    const { html } = await reader.get(page)
    expect(html).toContain('<strong>Submission form</strong>')
    expect(html).not.toContain('>Formular für Einsendungen<')
    expect(html).not.toContain('Of nobody')
    const before = /before=(\w+)/.exec(html)?.[1]
    const older = (await reader.get(`${page}&before=${before}`)).html
    const all = Array.from({ length: 60 }, (_, n) => 59 - n)
    expect([shown(html), shown(older)]).toEqual([all.slice(0, 50), all.slice(50)])
  }
  await app.close()
})
