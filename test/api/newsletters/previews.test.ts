import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { createKey, NewKey, revokeKey } from '../../../src/features/api-keys/index.ts'
import {
  addMember,
  type Member,
  NewMember,
  removeMember,
} from '../../../src/features/members/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { parseInput } from '../../../src/lib/parse.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import {
  blockOf,
  type Call,
  newsletterOf,
  send,
  unlimitedClient,
} from '../../support/newsletters.ts'

let app: TestApp
let team: Team
let call: Call
let today = new Date('2026-11-20T18:00:00Z')
const now = () => today
beforeAll(async () => {
  app = await startApp({ now })
  team = await app.team()
  call = await unlimitedClient(app, team)
})
afterAll(() => app.close())

const member = async (email: string, of = team): Promise<Member> =>
  await addMember(
    systemContext({ sql: app.sql, now }, of.id),
    parseInput(NewMember, { email, name: 'Someone' }),
  )

/** What lies in the queue of a team. */
const queued = async (of = team) => [
  ...(await app.sql<{ recipient: string; subject: string; html: string; text: string }[]>`
    select m.recipient, p.subject, p.html, p.text
    from preview_emails m join previews p on p.id = m.preview_id
    where m.team_id = ${of.id} and m.status = 'queued' order by m.id`),
]

describe('GET /newsletters/:id/preview', () => {
  test('an announced event has its next day: of the team, yearly, well known, or of one year', async () => {
    const event = { name: 'x', category: 'corporate' }
    await call('POST', '/events', { ...event, slug: 'offsite', event_date: '2026-12-09' })
    await call('POST', '/events', {
      ...event,
      ...{ slug: 'founding-day', event_date: '2019-03-05', recurs: true },
    })
    const slugs = ['offsite', 'founding-day', 'christmas-eve', 'christmas-eve-2027', 'no-such-day']
    const blocks: string[] = []
    for (const [at, event_slug] of slugs.entries()) {
      const about = { title: `Story ${at}`, body: 'Come.', block_type: 'event_announcement' }
      blocks.push(await blockOf(call, { ...about, event_slug }))
    }
    const news = await blockOf(call, { title: 'News', body: 'Text.', event_slug: 'offsite' })
    const path = await newsletterOf(call, [...blocks, news])
    const { text, html } = (await call('GET', `${path}/preview`)).json.preview
    const days = text.matchAll(/Story \d\n-+\n\n(.*)/g)
    expect([...days].map(([, day]) => day)).toEqual([
      ...['9 December 2026', '5 March 2027', '24 December 2026', '24 December 2027', 'Come.'],
    ])
    const tiles = html.matchAll(/font-weight:700">(\w{3})<\/td>.*?font-weight:700">(\d+)<\/td>/gs)
    expect([...tiles].map(([, month, day]) => `${day} ${month}`)).toEqual([
      ...['9 Dec', '5 Mar', '24 Dec', '24 Dec'],
    ])
  })

  test('a preview is JSON for programs and a sandboxed page for browsers', async () => {
    const title = `{{1337*1337}} \${7*7} <%= 6*6 %> <script>alert(1)</script>`
    const body =
      '<p>Hello</p><script>alert(2)</script><img src="https://i.example/a.png" alt="A chart">'
    const draft = await blockOf(call, { title, body, status: 'draft' })
    const path = await newsletterOf(call, [draft], { subject_line: null })
    const { json, headers } = await call('GET', `${path}/preview`)
    expect(json.preview).toMatchObject({ subject_line: null })
    expect(json.preview.warnings).toContain('The subject line is missing.')
    expect(json.preview.warnings.join()).toContain('is still a draft')
    expect(json.preview.text).toContain(`{{1337*1337}} \${7*7} <%= 6*6 %>`)
    expect(json.preview.html).not.toMatch(/<script|1787569/i)
    expect(headers.get('vary')).toBe('accept')

    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const page = await call('GET', `${path}/preview`, undefined, { accept: browser })
    expect(page.text).toBe(json.preview.html)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy')
    expect(policy).toStartWith(
      "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'",
    )
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    for (const accept of [
      '*/*',
      'application/json',
      'application/json, text/html;q=0.5',
      'text/html;q=0',
    ]) {
      expect((await call('GET', `${path}/preview`, undefined, { accept })).json).toEqual(json)
    }
  })

  test('the introduction, the closing text, callouts, polls and the cover of a newsletter are checked as blocks are', async () => {
    const body = [
      '<p>Sign in at <a href="https://evil.test/x">https://bank.test</a> with <a href="https://">the form</a>.</p>',
      '<p><img src="http://img.test/a.png" alt="A"><img src="https://t.test/p.png" width="1" height="1"></p>',
    ].join('')
    const cover = { cover_image_url: 'http://img.test/cover.png', cover_image_alt: 'The harbour' }
    const texts = { ...cover, intro: body, closing: body }
    const path = await newsletterOf(call, [await blockOf(call, { title: 'Tea', body })], texts)
    const elements = [
      { type: 'callout', heading: 'Careful', body },
      { type: 'callout', body },
      {
        type: 'poll',
        heading: 'Where?',
        options: [{ label: 'https://bank.test', url: 'https://evil.test' }],
      },
    ]
    for (const element of elements) await call('POST', `${path}/elements`, element)
    const { preview } = (await call('GET', `${path}/preview`)).json
    const of = (part: string, withoutImages = 'do not learn what it shows') => [
      `An image ${part} is left out: its address must start with https://.`,
      `An image ${part} is one pixel in size: it can report who opens the newsletter.`,
      `An image ${part} has no alternative text; readers without images ${withoutImages}.`,
      `The link “https://bank.test” ${part} leads to evil.test, not to where it says.`,
      `The link “the form” ${part} has no website in its address.`,
    ]
    expect(preview.warnings).toEqual([
      'The cover image is left out: its address must start with https://.',
      ...of('in the introduction'),
      ...of('in “Tea”', 'see the title instead'),
      ...of('in the callout “Careful”'),
      ...of('in a callout'),
      'The link “https://bank.test” in the poll “Where?” leads to evil.test, not to where it says.',
      ...of('in the closing text'),
    ])
  })

  test('columns of a Markdown table are aligned in a newsletter, and a link without an address looks like text', async () => {
    const body = '| Name | Sum |\n|:-:|--:|\n| Ada | 12 |\n\n<a href="/here">here</a>'
    const item = { title: 'Table', body, body_format: 'markdown' }
    const { json } = await call('POST', '/webhooks/ingest', item)
    const path = await newsletterOf(call, [json.content_block.id])
    const { html } = (await call('GET', `${path}/preview`)).json.preview
    expect(html).toMatch(/<th align="center" style="[^"]*;text-align:center[^"]*">Name</)
    expect(html).toMatch(/<td align="right" style="[^"]*;text-align:right[^"]*">12</)
    expect(html).toContain('<a>here</a>')
  })

  test('Outlook, which reads the attribute only, shows an uploaded image in a text as wide as it is, and no wider than the column', async () => {
    const upload = async (width: number) => {
      const create = { width, height: 48, channels: 3, background: '#7a51d8' } as const
      const png = await sharp({ create }).png().toBuffer()
      const image = `data:image/png;base64,${png.toString('base64')}`
      return (await call('POST', '/images', { image })).json.image.url
    }
    const [small, wide] = [await upload(96), await upload(1200)]
    const textWith = (src: string, width = '') => `<p>So: <img src="${src}" alt="A"${width} /></p>`
    const body = textWith(small) + textWith(wide) + textWith(small, ' width="40"')
    const intro = textWith(small)
    const path = await newsletterOf(call, [await blockOf(call, { body, body_format: 'html' })], {
      intro,
    })
    await call('POST', `${path}/elements`, { type: 'callout', body: intro, before_position: 1 })
    const { html } = (await call('GET', `${path}/preview`)).json.preview
    const widths = [...html.matchAll(/<img src="[^"]*\/media\/[^>]* width="(\d+)"/g)]
    const column = Number(widths[3]?.[1])
    expect(widths.map(([, width]) => Number(width))).toEqual([96, 96, 96, column, 40])
    expect(column).toBeGreaterThan(400)
    expect(column).toBeLessThan(600)
  })

  test('an unclosed element of one block does not contain the next block of a preview', async () => {
    const open = await blockOf(call, { title: 'Left open', body: '<table><tr><td><div><b>half' })
    const whole = await blockOf(call, { title: 'Left whole', body: '<p>whole</p>' })
    const { json } = await call('GET', `${await newsletterOf(call, [open, whole])}/preview`)
    const { html } = json.preview
    expect(html.slice(html.indexOf('half'), html.indexOf('Left whole'))).toMatch(
      /<\/b>.*<\/div>.*<\/td>.*<\/table>/s,
    )
  })
})

describe('POST /newsletters/:id/send_preview', () => {
  test('a preview is queued as one email for each named member, with the note at the top', async () => {
    const [ada, bo] = [await member('ada@acme.example'), await member('bo@acme.example')]
    const path = await newsletterOf(call, [await blockOf(call)])
    const reply = await call('POST', `${path}/send_preview`, {
      recipients: ['Bo@Acme.example', ada.email, 'bo@acme.example'],
      note: 'Look at <b>item 2</b> & $& tell me\nby noon',
    })
    expect(reply.status).toBe(202)
    expect(reply.json.preview).toEqual({
      id: expect.stringMatching(/^pv_/),
      recipients: [bo.email, ada.email],
      queued_at: today.toISOString(),
    })
    const mails = await queued()
    expect(mails.map(({ recipient }) => recipient).toSorted()).toEqual([ada.email, bo.email])
    const [{ subject, html, text } = { subject: '', html: '', text: '' }] = mails
    expect(subject).toBe('[Preview] What November brought')
    expect(html).toMatch(
      /<body[^>]*><div[^>]*>Look at &lt;b&gt;item 2&lt;\/b&gt; &amp; \$&amp; tell me<br \/>by noon<\/div>/,
    )
    expect(text).toStartWith('Look at <b>item 2</b> & $& tell me\nby noon\n')
    const preview = (await call('GET', `${path}/preview`)).json.preview
    expect(text).toEndWith(preview.text)
  })

  test('a preview of a sent newsletter shows what was sent', async () => {
    const own = await app.team()
    const worker = await unlimitedClient(app, own)
    const { email } = await member('cy@acme.example', own)
    const block = await blockOf(worker, { title: 'As it was' })
    const path = await newsletterOf(worker, [block])
    await send(worker, path)
    await worker('PATCH', `/content_blocks/${block}`, { status: 'ready', title: 'As it is' })
    expect((await worker('POST', `${path}/send_preview`, { recipients: [email] })).status).toBe(202)
    expect((await queued(own))[0]?.text).toContain('As it was')
  })

  test('a preview without recipients is sent to the person who created the key', async () => {
    const own = await app.team()
    const dee = await member('dee@acme.example', own)
    const input = parseInput(NewKey, { name: 'hers', scopes: ['write', 'send_preview'] })
    const { token } = await createKey(
      {
        sql: app.sql,
        now,
        actor: { kind: 'member', teamId: own.id, memberId: dee.id, name: dee.name, address: null },
      },
      input,
    )
    const hers = client(app.base, token)
    const path = await newsletterOf(hers, [await blockOf(hers)])
    const always = { 'content-type': 'application/json' }
    const reply = await hers('POST', `${path}/send_preview`, undefined, always)
    expect([reply.status, reply.json.preview.recipients]).toEqual([202, [dee.email]])

    await removeMember(systemContext({ sql: app.sql, now }, own.id), dee.id)
    for (const nobody of [hers, await unlimitedClient(app, own)]) {
      const { json } = await nobody('POST', `${path}/send_preview`, {})
      expect(json).toMatchObject({
        status: 422,
        fields: [{ pointer: '/recipients', code: 'required' }],
      })
    }
    expect((await queued(own)).length).toBe(1)
  })

  test('a preview without recipients is sent to the admins when no person created the key', async () => {
    const own = await app.team()
    const worker = await unlimitedClient(app, own)
    const path = await newsletterOf(worker, [await blockOf(worker)])
    await member('reader@acme.example', own)
    const input = parseInput(NewMember, { email: 'boss@acme.example', name: 'Bo', role: 'admin' })
    await addMember(systemContext({ sql: app.sql, now }, own.id), input)
    const { json } = await worker('POST', `${path}/send_preview`)
    expect(json.preview.recipients).toEqual(['boss@acme.example'])
  })

  test('a preview for somebody who is not a member gets 422 with the address, and no email is sent', async () => {
    const [own, other] = [await app.team(), await app.team()]
    const worker = await unlimitedClient(app, own)
    const eve = await member('eve@acme.example', own)
    const gone = await member('gone@acme.example', own)
    await removeMember(systemContext({ sql: app.sql, now }, own.id), gone.id)
    const foreign = await member('foreign@other.example', other)
    const path = await newsletterOf(worker, [await blockOf(worker)])
    const recipients = [eve.email, gone.email, foreign.email, 'v@evil.example']
    const { json } = await worker('POST', `${path}/send_preview`, { recipients })
    expect(json).toMatchObject({
      status: 422,
      fields: [{ pointer: '/recipients', code: 'not_a_member' }],
    })
    for (const stranger of recipients.slice(1)) expect(json.detail).toContain(stranger)
    expect(json.detail).not.toContain(eve.email)
    expect(await queued(own)).toEqual([])
  })

  test('a recipient is exactly one email address', async () => {
    const own = await app.team()
    const worker = await unlimitedClient(app, own)
    await member('m@t.example', own)
    const path = await newsletterOf(worker, [await blockOf(worker)])
    const m = 'm@t.example'
    const bodies = [
      { to: ['v@evil.example'] },
      { recipients: [m], to: [m] },
      { recipients: m },
      { recipients: [] },
      { recipients: null },
      { recipients: [`${m}, v@evil.example`] },
      { recipients: [`${m};v@evil.example`] },
      { recipients: ['g:v@evil.example;'] },
      { recipients: [`${m}\r\nRCPT TO:<v@evil.example>`] },
      { recipients: [`${m}\nBcc: v@evil.example`] },
      { recipients: [`v@evil.example <${m}>`] },
      { recipients: [`"${m} v@evil.example"@evil.example`] },
      { recipients: [{ path: '/etc/hostname' }] },
      { recipients: [{ address: m }] },
      { recipients: [[m]] },
      { recipients: { 0: m, length: 1 } },
      { recipients: Array.from({ length: 51 }, () => m) },
      { recipients: Array.from({ length: 1000 }, (_, n) => `m${n}@t.example`) },
      { recipients: [m], note: { path: '/etc/hostname' } },
      { recipients: [m], note: 'x'.repeat(5000) },
    ]
    for (const body of bodies) {
      const { status } = await worker('POST', `${path}/send_preview`, body)
      expect([JSON.stringify(body).slice(0, 80), status]).toEqual([
        JSON.stringify(body).slice(0, 80),
        422,
      ])
    }
    expect(await queued(own)).toEqual([])
  })

  test('a preview needs the scope send_preview and an active key', async () => {
    const own = await app.team()
    const { email } = await member('flo@acme.example', own)
    const writer = await unlimitedClient(app, own, ['read', 'write'])
    const path = await newsletterOf(writer, [await blockOf(writer)])
    const refused = await writer('POST', `${path}/send_preview`, { recipients: [email] })
    expect(refused.json).toMatchObject({ status: 403, required_scope: 'send_preview' })
    const key = await app.key(own, ['send_preview'])
    await revokeKey(systemContext(app.forwarder, own.id), key.slice(0, 14))
    const revoked = await client(app.base, key)('POST', `${path}/send_preview`, {
      recipients: [email],
    })
    expect(revoked.json.code).toBe('revoked_key')
    expect(await queued(own)).toEqual([])
  })

  test('a preview is sent once for one Idempotency-Key', async () => {
    const own = await app.team()
    const { email } = await member('gil@acme.example', own)
    const worker = await unlimitedClient(app, own)
    const path = await newsletterOf(worker, [await blockOf(worker)])
    const once = () =>
      worker('POST', `${path}/send_preview`, { recipients: [email] }, { 'idempotency-key': 'p-1' })
    const replies = await Promise.all(Array.from({ length: 10 }, once))
    for (const { status } of replies) expect([202, 409]).toContain(status)
    const replay = await once()
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([202, 'true'])
    expect((await queued(own)).length).toBe(1)
  })
})

describe('The preview emails of a day', () => {
  test('a team can send exactly 100 preview emails a day in UTC', async () => {
    const own = await app.team()
    const worker = await unlimitedClient(app, own)
    const path = await newsletterOf(worker, [await blockOf(worker)])
    const emails: string[] = []
    for (let n = 0; n < 50; n++) emails.push((await member(`m${n}@day.example`, own)).email)
    const mail = async (many: number) =>
      await worker('POST', `${path}/send_preview`, { recipients: emails.slice(0, many) })
    today = new Date('2026-11-20T22:00:00Z')
    expect((await mail(50)).status).toBe(202)
    expect((await mail(39)).status).toBe(202)
    const replies = await Promise.all(Array.from({ length: 10 }, () => mail(10)))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([202, ...Array(9).fill(429)])
    const late = replies.find(({ status }) => status === 429)
    expect(late?.json.code).toBe('preview_limit_reached')
    expect(late?.headers.get('retry-after')).toBe('7200')
    expect((await mail(2)).json.detail).toContain('1 are left today')
    expect((await mail(1)).status).toBe(202)
    expect((await mail(1)).status).toBe(429)
    expect((await queued(own)).length).toBe(100)
    today = new Date('2026-11-21T00:00:00Z')
    expect((await mail(50)).status).toBe(202)
  })
})
