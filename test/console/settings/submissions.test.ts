import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { person, signedIn } from '../../support/console.ts'

let app: TestApp
let nowMs = Date.now()
beforeAll(async () => {
  app = await startApp({ now: () => new Date(nowMs) })
})
afterAll(async () => {
  await app.close()
})

/** A team with a link, its admin, and the path of the form. */
async function teamWithLink() {
  // The limit of a network counts fixed minutes.
  nowMs += 60_000
  const team = await app.team()
  const admin = await signedIn(app, team, 'admin')
  await admin.get('/settings/submissions')
  await admin.post('/settings/submissions/create')
  return { team, admin, path: pathOnPage((await admin.get('/settings/submissions')).html) }
}

const pathOnPage = (html: string) =>
  new URL(/id="link" value="([^"]+)"/.exec(html)?.[1] ?? '', 'http://no-link.test').pathname

const news = {
  title: 'Ten years of Tideline',
  body: 'We <b>celebrate</b> on Friday & bring cake.',
  block_type: 'wins_milestones',
  author: 'Mira Okonkwo',
}

/** Sends the form as a browser does, with a picture where one is given. */
async function sendForm(path: string, fields: object, image?: Uint8Array) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ id: crypto.randomUUID(), ...fields })) {
    form.set(name, String(value))
  }
  form.set('image', new File(image ? [image] : [], image ? 'party.jpg' : ''))
  const headers = { origin: app.base }
  const init = { method: 'POST', body: form, headers, redirect: 'manual' } as const
  const response = await fetch(app.base + path, init)
  return { status: response.status, html: await response.text(), headers: response.headers }
}

const blocksOf = (team: Team) => app.sql`
  select title, body, body_format, block_type, status, source, author, image_url
  from content_blocks where team_id = ${team.id} order by id`

test('a person with the link sends news, which is a draft with their name in the library', async () => {
  const { team, admin, path } = await teamWithLink()
  const visitor = person(app.base)
  expect((await visitor.get(path)).html).toContain('Share your news')
  const sent = await sendForm(path, news)
  expect(sent.status).toBe(303)
  const receipt = await visitor.get(sent.headers.get('location') ?? '')
  expect(receipt.html).toContain('Waiting for review')
  expect([...(await blocksOf(team))]).toMatchObject([
    { ...news, status: 'draft', source: 'submission', body_format: 'text', image_url: null },
  ])
  const { html } = await admin.get('/library')
  expect(html).toContain('Ten years of Tideline')
  expect(html).not.toContain('<b>celebrate</b>')
})

test('emoji codes, lists, addresses and marks in a submission are formatted as in a chat', async () => {
  const { team, path } = await teamWithLink()
  const body =
    'Thanks to *everybody* :tada:\n\n- Oslo: 400\n* Bergen: <b>300</b>\n\n1. Run\n2. Rest\n\nhttps://example.com/run'
  const sent = await sendForm(path, { ...news, title: 'We ran :runner:', body })
  expect(sent.status).toBe(303)
  const [block] = await blocksOf(team)
  expect(block).toMatchObject({ title: 'We ran 🏃', body_format: 'html' })
  expect(block?.['body'].replaceAll('\n', '')).toBe(
    '<p>Thanks to <strong>everybody</strong> 🎉</p><ul><li>Oslo: 400</li><li>Bergen: &lt;b&gt;300&lt;/b&gt;</li></ul><ol><li>Run</li><li>Rest</li></ol><p><a href="https://example.com/run">example.com/run</a></p>',
  )
})

test('a picture of a submission is stored without metadata and shown with the block', async () => {
  const { team, path } = await teamWithLink()
  const photo = await sharp({
    create: { width: 40, height: 30, channels: 3, background: '#0a84ff' },
  })
    .jpeg()
    .withExif({ IFD0: { Copyright: 'a private note' } })
    .toBuffer()
  const missing = await sendForm(path, news, photo)
  expect(missing.status).toBe(422)
  expect(missing.html).toContain('Say what the image shows.')
  expect(missing.html).toContain('Ten years of Tideline')
  expect((await sendForm(path, { ...news, image_alt: 'A cake' }, photo)).status).toBe(303)
  const [block] = await blocksOf(team)
  const image = await fetch(app.base + new URL(block?.['image_url']).pathname)
  expect(image.headers.get('content-type')).toBe('image/jpeg')
  expect(Buffer.from(await image.bytes()).includes('a private note')).toBe(false)
})

test('a file that is not an image is refused with an error at its field, and nothing is stored', async () => {
  const { team, path } = await teamWithLink()
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const { status, html } = await sendForm(path, { ...news, image_alt: 'A cake' }, svg)
  expect(status).toBe(422)
  expect(html).toContain('id="image-error"')
  expect(await blocksOf(team)).toHaveLength(0)
})

test('the same form sent three times at once creates one block', async () => {
  const { team, path } = await teamWithLink()
  const form = { ...news, id: crypto.randomUUID() }
  const sent = await Promise.all([1, 2, 3].map(() => sendForm(path, form)))
  expect(sent.map(({ status }) => status)).toEqual([303, 303, 303])
  expect(await blocksOf(team)).toHaveLength(1)
})

test('a form that is sent again with another text, because the response was lost, is stored beside the first one', async () => {
  const { team, path } = await teamWithLink()
  const draw = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer()
  const [blue, red] = [await draw('#0a84ff'), await draw('#ff3b30')]
  const first = { ...news, image_alt: 'A cake', id: crypto.randomUUID() }
  const forms = [
    [first, blue],
    [{ ...first, body: 'We celebrate on Thursday.' }, blue],
    [{ ...first, title: 'Eleven years of Tideline' }, blue],
    [{ ...first, author: 'Mira and Ade' }, blue],
    [first, red],
  ] as const
  const receipts: (string | null)[] = []
  for (const [fields, image] of forms) {
    const sent = [await sendForm(path, fields, image), await sendForm(path, fields, image)]
    const [one, again] = sent.map(({ headers }) => headers.get('location'))
    expect(again).toBe(one ?? '')
    receipts.push(one ?? null)
    nowMs += 60_000
  }
  expect(new Set(receipts).size).toBe(forms.length)
  const blocks = await blocksOf(team)
  expect(blocks).toHaveLength(forms.length)
  expect(blocks[1]?.['body']).toContain('Thursday')
  expect(new Set(blocks.map((block) => block['image_url'])).size).toBe(2)
})

test('a form with the field that people do not see stores nothing and looks like a success', async () => {
  const { team, path } = await teamWithLink()
  const { status } = await sendForm(path, { ...news, website: 'https://spam.example' })
  expect(status).toBe(303)
  expect(await blocksOf(team)).toHaveLength(0)
})

test('the form accepts ten submissions a minute from one network', async () => {
  const { team, path } = await teamWithLink()
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) statuses.push((await sendForm(path, news)).status)
  expect(statuses).toEqual([...Array(10).fill(303), 429, 429])
  expect(await blocksOf(team)).toHaveLength(10)
})

test('a missing headline and a text that is too long are errors at their fields', async () => {
  const { team, path } = await teamWithLink()
  const { status, html } = await sendForm(path, { ...news, title: ' ', body: 'x'.repeat(5_001) })
  expect(status).toBe(422)
  expect(html).toContain('Headline is required.')
  expect(html).toContain('must be at most 5000 characters')
  expect(await blocksOf(team)).toHaveLength(0)
})

test('a replaced or deleted link and the link of another team lead nowhere', async () => {
  const first = await teamWithLink()
  const second = await teamWithLink()
  const crossed = first.path.replace(first.team.slug, second.team.slug)
  expect((await sendForm(crossed, news)).status).toBe(404)
  await first.admin.post('/settings/submissions/create')
  expect((await sendForm(first.path, news)).status).toBe(404)
  const renewed = pathOnPage((await first.admin.get('/settings/submissions')).html)
  await first.admin.post('/settings/submissions/delete')
  expect((await sendForm(renewed, news)).status).toBe(404)
  const dead = await person(app.base).get(renewed)
  expect(dead.status).toBe(404)
  // Readers know no console and no API.
  expect(dead.html).toContain('Ask the person or team that sent it for a new one.')
  expect(dead.html).not.toMatch(/href="\/(?:docs)?"/)
  expect(await blocksOf(first.team)).toHaveLength(0)
})

test('with sign-in required, only members of the team send news, under their own names', async () => {
  const { team, admin, path } = await teamWithLink()
  await admin.get('/settings/submissions')
  await admin.post('/settings/submissions', { requires_sign_in: 'on' })
  const visitor = person(app.base)
  expect((await visitor.get(path)).location).toBe(`/login?next=${encodeURIComponent(path)}`)
  expect((await sendForm(path, news)).status).not.toBe(303)
  const stranger = await signedIn(app, await app.team(), 'admin')
  expect((await stranger.get(path)).status).toBe(403)
  const viewer = await signedIn(app, team, 'viewer', { name: 'Vera Viewer' })
  expect((await viewer.get(path)).html).not.toContain('Your name')
  const fields = { ...news, id: crypto.randomUUID(), author: 'Somebody Else' }
  expect((await viewer.post(path, fields)).status).toBe(303)
  expect([...(await blocksOf(team))]).toMatchObject([{ author: 'Vera Viewer' }])
})

test('where the team requires a second factor, a member without one sets it up before they send news', async () => {
  const { team, admin, path } = await teamWithLink()
  await admin.get('/settings/submissions')
  await admin.post('/settings/submissions', { requires_sign_in: 'on' })
  const viewer = await signedIn(app, team, 'viewer')
  await app.sql`update teams set requires_second_factor = true where id = ${team.id}`
  const opened = await viewer.get(path)
  expect([opened.status, opened.location]).toEqual([303, '/account/second-factor'])
  const sent = await viewer.post(path, { ...news, id: crypto.randomUUID() })
  expect([sent.status, sent.location]).toEqual([303, '/account/second-factor'])
  expect(await blocksOf(team)).toHaveLength(0)
})

test('changes of the link are in the audit log, and its token is in no log line', async () => {
  const { team, admin, path } = await teamWithLink()
  await sendForm(path, news)
  await admin.post('/settings/submissions/delete')
  const entries = await app.sql`
    select action from audit_log where team_id = ${team.id} and action like 'submission%' order by id`
  expect(entries.map(({ action }) => action)).toEqual([
    'submission_link_created',
    'submission_link_deleted',
  ])
  expect(app.logLines.join('\n')).not.toContain(path.split('/').at(-1) ?? path)
})
