import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addMember } from '../../../src/features/members/index.ts'
import { purgePreviewLinks } from '../../../src/features/previews/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { person, signedIn } from '../../support/console.ts'
import { blockOf, send } from '../../support/newsletters.ts'

let app: TestApp
let at = new Date('2026-11-22T10:00:00Z')
const now = () => at
beforeAll(async () => {
  app = await startApp({ now })
})
afterAll(async () => await app.close())

interface Preview {
  team: Team
  editor: Awaited<ReturnType<typeof signedIn>>
  id: string
  call: ReturnType<typeof client>
  /** The path that the QR code leads to. */
  path: string
}

const linkOf = (html: string) =>
  /value="http:\/\/tidings\.test(\/preview\/[^"]+)"/.exec(html)?.[1] ?? ''

async function createPreview(): Promise<Preview> {
  const team = await app.team()
  const editor = await signedIn(app, team, 'editor')
  const call = client(app.base, await app.key(team, ['read', 'write']))
  const made = await call('POST', '/newsletters', { title: 'Harbour notes', subject_line: 'Notes' })
  const id = made.json.newsletter.id
  const { location } = await editor.post(`/newsletters/${id}/phone`)
  expect(location).toBe(`/newsletters/${id}/phone`)
  const { html } = await editor.get(location ?? '')
  const path = linkOf(html)
  expect(html).toContain('<svg')
  return { team, editor, id, call, path }
}

test('the link of a QR code shows the newsletter as it is now, without a sign-in, a cookie or a search engine', async () => {
  const { path, id, call } = await createPreview()
  await call('PATCH', `/newsletters/${id}`, { title: 'Harbour notes, changed' })
  const { status, html, headers } = await person(app.base).get(path)
  expect(status).toBe(200)
  expect(html).toContain('Harbour notes, changed')
  expect(html).toContain('It is not sent yet.')
  expect(headers.getSetCookie()).toEqual([])
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('content-security-policy')).toStartWith('sandbox')
})

test('the link of a QR code does not say that a newsletter is not sent which was sent meanwhile, or before', async () => {
  const { editor, id, call, path } = await createPreview()
  const block = await blockOf(call)
  await call('POST', `/newsletters/${id}/blocks`, { content_block_id: block })
  await send(call, `/newsletters/${id}`)
  const { html: page } = await editor.get(
    (await editor.post(`/newsletters/${id}/phone`)).location ?? '',
  )
  for (const link of [path, linkOf(page)]) {
    const { status, html } = await person(app.base).get(link)
    expect(status).toBe(200)
    expect(html).toMatch(/A preview for [^.]+\.</)
    expect(html).not.toContain('It is not sent yet.')
  }
})

test('the link of a QR code shows a newsletter that was sent without the link to the archive, which has all newsletters and works longer', async () => {
  const { editor, id, call, path } = await createPreview()
  await call('PATCH', '/team', { archive: 'link' })
  const block = await blockOf(call)
  await call('POST', `/newsletters/${id}/blocks`, { content_block_id: block })
  await send(call, `/newsletters/${id}`)
  const later = await editor.post(`/newsletters/${id}/phone`)
  for (const link of [path, linkOf((await editor.get(later.location ?? '')).html)]) {
    const { status, html } = await person(app.base).get(link)
    expect(status).toBe(200)
    expect(html).toContain('Something happened.')
    expect(html).not.toContain('/archive/')
  }
})

test('a QR code is shown once, and only the hash of its link is stored', async () => {
  const { path, editor, id } = await createPreview()
  expect(await editor.get(`/newsletters/${id}/phone`)).toMatchObject({
    status: 303,
    location: `/newsletters/${id}/preview`,
  })
  const rows = await app.sql`select * from preview_links`
  expect(JSON.stringify(rows)).not.toContain(path.split('/').at(-1) ?? '')
  expect(app.logLines.join('\n')).not.toContain(path.split('/').at(-1) ?? '')
})

test('the link of a preview stops after a day, when its newsletter is deleted, and under another team', async () => {
  const [first, second] = [await createPreview(), await createPreview()]
  const visitor = person(app.base)
  const [, , team = ''] = first.path.split('/')
  const [, , , token = ''] = second.path.split('/')
  expect((await visitor.get(`/preview/${team}/${token}`)).status).toBe(404)
  await second.call('DELETE', `/newsletters/${second.id}`)
  expect((await visitor.get(second.path)).status).toBe(404)
  at = new Date(at.getTime() + 24 * 3_600_000 + 1)
  expect((await visitor.get(first.path)).status).toBe(404)
  await purgePreviewLinks({ sql: app.sql, now })
  expect(await app.sql`select * from preview_links where created_at < ${at}`).toHaveLength(0)
})

test('the link of a preview stops when the editor who has made it is removed, also after the editor was added again, and those of others keep working', async () => {
  const { team, editor, id, path } = await createPreview()
  const admin = await signedIn(app, team, 'admin')
  const { location } = await admin.post(`/newsletters/${id}/phone`)
  const other = linkOf((await admin.get(location ?? '')).html)
  const visitor = person(app.base)
  expect((await visitor.get(path)).status).toBe(200)
  await admin.post(`/settings/members/${editor.id}/remove`)
  expect((await visitor.get(path)).status).toBe(404)
  expect((await visitor.get(other)).status).toBe(200)
  const [{ email }] = await app.sql<[{ email: string }]>`
    select email from members where id = ${editor.id}`
  const again = await addMember(systemContext(app.forwarder, team.id), {
    email,
    name: 'Ada',
    role: 'editor',
  })
  expect(again.id).toBe(editor.id)
  expect((await visitor.get(path)).status).toBe(404)
  expect((await visitor.get(other)).status).toBe(200)
})

test('a service that only this computer can open says so instead of showing a QR code', async () => {
  const local = await startApp({ baseUrl: 'http://localhost:3000' })
  try {
    const team = await local.team()
    const editor = await signedIn(local, team, 'editor')
    const call = client(local.base, await local.key(team, ['write']))
    const id = (await call('POST', '/newsletters', { title: 'Notes' })).json.newsletter.id
    const { location } = await editor.post(`/newsletters/${id}/phone`, {}, { origin: local.base })
    expect(location).toBe(`/newsletters/${id}/preview`)
    expect((await editor.get(location ?? '')).html).toContain(
      'Your phone cannot open http://localhost:3000',
    )
  } finally {
    await local.close()
  }
})

test('without a public address, the QR code leads to this computer in its private network, with its images', async () => {
  const address = { family: 'IPv4', netmask: '', mac: '', cidr: null } as const
  const networkInterfaces = {
    lo: [{ ...address, address: '127.0.0.1', internal: true }],
    docker0: [{ ...address, address: '172.17.0.1', internal: false }],
    wlan0: [{ ...address, address: '192.168.178.20', internal: false }],
  }
  const local = await startApp({ baseUrl: 'http://localhost:3000', networkInterfaces })
  try {
    const team = await local.team()
    const editor = await signedIn(local, team, 'editor')
    const call = client(local.base, await local.key(team, ['write']))
    const id = (await call('POST', '/newsletters', { title: 'Notes' })).json.newsletter.id
    const logo = `http://localhost:3000/media/${'a'.repeat(64)}.png`
    await local.sql`update teams set logo_url = ${logo}`
    const { location } = await editor.post(`/newsletters/${id}/phone`, {}, { origin: local.base })
    const { html } = await editor.get(location ?? '')
    expect(html).toContain('in the same network as this computer')
    const path = /value="http:\/\/192\.168\.178\.20:3000(\/preview\/[^"]+)"/.exec(html)?.[1]
    const preview = await person(local.base).get(path ?? '')
    expect(preview).toMatchObject({ status: 200, html: expect.stringContaining('src="/media/') })
  } finally {
    await local.close()
  }
})
