import { expect, test } from 'bun:test'
import { adapter as github } from '../../../integrations/github/adapter.ts'
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
