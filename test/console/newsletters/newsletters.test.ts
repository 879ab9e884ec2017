import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { type Person, type Seen, signedIn } from '../../support/console.ts'
import {
  blockOf,
  type Call,
  newsletterOf,
  send,
  shownFields,
  unlimitedClient,
} from '../../support/newsletters.ts'

let app: TestApp
let team: Team
let call: Call
let editor: Person & { email: string }
let viewer: Person

const morning = Date.parse('2026-11-21T09:00:00Z')
let clock = morning

beforeAll(async () => {
  app = await startApp({ now: () => new Date(clock) })
  team = await app.team('lantern')
  call = await unlimitedClient(app, team)
  editor = await signedIn(app, team, 'editor', { name: 'Ines Okafor' })
  viewer = await signedIn(app, team, 'viewer')
})
afterAll(async () => await app.close())

/** The page a form leads to. */
async function follow(who: Person, reply: Seen): Promise<Seen> {
  expect(reply.status).toBe(303)
  return await who.get(reply.location ?? '')
}

const loadNewsletter = async (path: string) => (await call('GET', path)).json.newsletter
const blockTitles = async (path: string): Promise<string[]> =>
  (await loadNewsletter(path)).blocks.map(({ content_block: { title } }: NewsletterBlock) => title)
interface NewsletterBlock {
  id: string
  content_block: { title: string }
}
const newsletterBlockId = async (path: string, title: string): Promise<string> =>
  (await loadNewsletter(path)).blocks.find(
    (one: NewsletterBlock) => one.content_block.title === title,
  ).id

/** What a page says in its notice. */
const flashMessage = ({ html }: Seen) =>
  /class="notice (?:success|danger)" role="status">([^<]*)/.exec(html)?.[1]

test('the list shows the subject of a newsletter beside its title only when they differ', async () => {
  await newsletterOf(call, [], { title: 'Autumn notes', subject_line: 'Autumn notes' })
  await newsletterOf(call, [], { title: 'Winter notes', subject_line: 'Snow on the roof' })
  const { html } = await editor.get('/newsletters')
  expect(html.match(/Autumn notes/g)).toHaveLength(1)
  expect(html).toContain('Snow on the roof')
})

describe('Creating a newsletter', () => {
  test('one click creates a newsletter with all ready blocks', async () => {
    const fresh = await app.team()
    const own = await unlimitedClient(app, fresh)
    const admin = await signedIn(app, fresh, 'admin')
    expect((await admin.get('/newsletters')).html).toContain('Create one with all ready blocks')
    await blockOf(own, { title: 'A win', block_type: 'wins_milestones' })
    await blockOf(own, { title: 'A draft', status: 'draft' })
    const { html } = await follow(admin, await admin.post('/newsletters', { suggested: 'on' }))
    expect(html).toContain('The newsletter is created with 1 block.')
    expect(html).toContain('A win')
    const { newsletters } = (await own('GET', '/newsletters')).json
    // A weekly team, on a Saturday: the Friday after.
    expect(newsletters[0]).toMatchObject({
      title: `${fresh.name} news, 27 Nov 2026`,
      subject_line: `${fresh.name} news, 27 Nov 2026`,
      scheduled_date: '2026-11-27',
      template_slug: 'clean',
      status: 'in_progress',
    })
  })

  test('an invalid newsletter form keeps the typed values', async () => {
    const fields = { title: ' ', subject_line: 'Kept words', scheduled_date: '2026-02-31' }
    const { status, html } = await editor.post('/newsletters', fields)
    expect(status).toBe(422)
    expect(html).toContain('Title is required.')
    expect(html).toContain('Date must be a day that exists')
    expect(html).toContain('value="Kept words"')
  })

  test('a new newsletter can start with the texts of an earlier one', async () => {
    const path = await newsletterOf(call, [], {
      subject_line: 'The usual',
      template_slug: 'digest',
    })
    const { html } = await editor.get(`/newsletters/new?from=${path.split('/').at(-1)}`)
    expect(html).toContain('value="The usual"')
    expect(html).toContain('<option value="digest" selected')
  })
})

test('the list of newsletters is filtered by status and paginated', async () => {
  const own = await app.team()
  const reader = await signedIn(app, own, 'viewer')
  const writer = await unlimitedClient(app, own)
  for (let n = 1; n <= 27; n++) await writer('POST', '/newsletters', { title: `Issue ${n}.` })
  const first = await reader.get('/newsletters?status=draft')
  expect(first.html).toContain('Issue 27.')
  expect(first.html).not.toContain('Issue 2.')
  const older = /href="([^"]*after=[^"]*)"/.exec(first.html)?.[1]?.replace('&amp;', '&') ?? ''
  const second = await reader.get(older)
  expect(second.html).toContain('Issue 2.')
  expect(second.html).not.toContain('Issue 3.')
  expect((await reader.get('/newsletters?status=sent')).html).toContain(
    'No newsletters with this status',
  )
  expect((await reader.get('/newsletters?after=1%27--&status=x')).html).toContain('Issue 27.')
})

describe('The composer', () => {
  test('blocks are added, moved within their section and removed', async () => {
    const types = { wins: 'wins_milestones', news: 'general' }
    const [a, b, c] = await Promise.all(
      ['Alpha', 'Beta', 'Gamma'].map((title) => blockOf(call, { title, block_type: types.wins })),
    )
    const news = await blockOf(call, { title: 'News', block_type: types.news })
    const path = await newsletterOf(call, [a ?? '', news, b ?? ''])
    const added = await editor.post(`${path}/blocks`, { add: c ?? '' })
    expect(flashMessage(await follow(editor, added))).toBe('Added “Gamma”.')

    const up = await follow(
      editor,
      await editor.post(`${path}/order`, { up: await newsletterBlockId(path, 'Beta') }),
    )
    expect(flashMessage(up)).toBe('“Beta” is number 1 of 3 in Wins and milestones.')
    // As readers find them: the template has news before wins.
    expect(await blockTitles(path)).toEqual(['News', 'Beta', 'Alpha', 'Gamma'])
    await editor.post(`${path}/order`, {
      move: await newsletterBlockId(path, 'Gamma'),
      before: await newsletterBlockId(path, 'Beta'),
    })
    expect(await blockTitles(path)).toEqual(['News', 'Gamma', 'Beta', 'Alpha'])
    await editor.post(`${path}/order`, { remove: await newsletterBlockId(path, 'Beta') })
    expect(await blockTitles(path)).toEqual(['News', 'Gamma', 'Alpha'])

    const again = await follow(editor, await editor.post(`${path}/blocks`, { add: c ?? '' }))
    expect(flashMessage(again)).toContain('is already in this newsletter')
    const gone = await follow(editor, await editor.post(`${path}/order`, { up: 'nb_gone' }))
    expect(flashMessage(gone)).toContain('was not found')
  })

  test('a search in the library panel stays after a change', async () => {
    const wanted = await blockOf(call, {
      title: 'Observatory opens',
      body: '<p>Stars &amp; more</p>',
    })
    const path = await newsletterOf(call)
    const found = await editor.get(`${path}?q=observatory`)
    expect(found.html).toContain('Observatory opens')
    expect(found.html).toContain('Stars &amp; more')
    expect(found.html).not.toContain('Alpha')
    const { location } = await editor.post(`${path}/blocks`, {
      add: wanted,
      view: '?q=observatory',
    })
    expect(location).toBe(`${path}?q=observatory#library`)
    expect((await editor.get(`${path}?q=nobodywrotethis`)).html).toContain('No matching blocks')
  })

  test('the library panel begins with blocks that can be added; a search also finds those in the newsletter', async () => {
    const fresh = await app.team()
    const own = await unlimitedClient(app, fresh)
    const writer = await signedIn(app, fresh, 'editor')
    const older = await blockOf(own, { title: 'Older story' })
    const newer = await Promise.all(
      Array.from({ length: 13 }, (_, n) => blockOf(own, { title: `Newer ${n}.` })),
    )
    const path = await newsletterOf(own, newer)
    const panel = async (query = '') =>
      /<section id="library"[\s\S]*?<\/section>/.exec((await writer.get(path + query)).html)?.[0]
    expect(await panel()).toContain('Add “Older story”')
    expect(await panel()).not.toContain('Newer')
    expect(await panel('?q=newer')).toContain('Added')
    await own('POST', `${path}/blocks`, { content_block_id: older })
    expect(await panel()).toContain('All ready blocks are in the newsletter.')
  })

  test('the library panel shows the first words of a block, separated where markup separated them', async () => {
    const body =
      '<p>Shared by <b>li</b>nk.</p><ul><li>Links that end</li><li>Dark &amp; light</li></ul>'
    await blockOf(call, { title: 'Excerpted', body })
    const path = await newsletterOf(call)
    const { html } = await editor.get(`${path}?q=excerpted`)
    expect(html).toContain('Shared by link. Links that end Dark &amp; light')
  })

  test('changes of two people to different fields are both saved', async () => {
    const path = await newsletterOf(call, [], { subject_line: 'Old', preheader_text: 'Old' })
    const was = {
      original_title: 'November',
      original_subject_line: 'Old',
      original_preheader_text: 'Old',
      original_template_slug: 'clean',
    }
    await call('PATCH', path, { preheader_text: 'From a colleague' })
    const mine = { title: 'November', subject_line: 'Mine', preheader_text: 'Old' }
    await editor.post(path, { ...was, ...mine, template_slug: 'clean' })
    expect(await loadNewsletter(path)).toMatchObject({
      subject_line: 'Mine',
      preheader_text: 'From a colleague',
    })
  })

  test('two changes to the same field are a conflict that shows both values', async () => {
    const path = await newsletterOf(call, [], { subject_line: 'Old' })
    await call('PATCH', path, { subject_line: 'From a colleague' })
    const form = { title: 'November', original_title: 'November', subject_line: 'Mine' }
    const { status, html } = await editor.post(path, { ...form, original_subject_line: 'Old' })
    expect(status).toBe(409)
    expect(html).toContain('Subject is now “From a colleague”')
    expect(html).toContain('value="Mine"')
    expect((await loadNewsletter(path)).subject_line).toBe('From a colleague')
    const was = /name="original_subject_line" value="([^"]*)"/.exec(html)?.[1] ?? ''
    await editor.post(path, { ...form, original_subject_line: was })
    expect((await loadNewsletter(path)).subject_line).toBe('Mine')
  })
})

test('the composer shows the newsletter at the width of a phone on a phone, until the person chooses another width', async () => {
  const path = await newsletterOf(call)
  const owner = await signedIn(app, team, 'editor')
  const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148 Safari/604.1'
  const widthOn = async (query: string, headers: Record<string, string>) =>
    /class="preview-frame (\w+)"/.exec((await owner.get(path + query, headers)).html)?.[1]
  const phone = { 'user-agent': agent }
  expect(await widthOn('', {})).toBe('desktop')
  expect(await widthOn('', phone)).toBe('phone')
  expect(await widthOn('?width=desktop', phone)).toBe('desktop')
  expect(await widthOn('', phone)).toBe('desktop')
})

describe('Transitions', () => {
  test('an incomplete newsletter shows what is missing; a complete one becomes ready and can go back', async () => {
    const path = await newsletterOf(call, [], { subject_line: null })
    const { version } = await loadNewsletter(path)
    const to = (state: string, at: number) =>
      editor.post(`${path}/status`, { to: state, version: String(at) })
    const refused = await follow(editor, await to('ready', version))
    expect(flashMessage(refused)).toBe(
      'The newsletter cannot become ready: subject line is missing; it has no blocks.',
    )
    const complete = await newsletterOf(call, [await blockOf(call)])
    const state = async () => (await loadNewsletter(complete)).status
    const move = async (wanted: string) => {
      const now = String((await loadNewsletter(complete)).version)
      await editor.post(`${complete}/status`, { to: wanted, version: now })
      return await state()
    }
    expect(await move('draft')).toBe('draft')
    // From a draft in one click, over the state between.
    expect(await move('ready')).toBe('ready')
    expect(await move('in_progress')).toBe('in_progress')
  })

  test('a newsletter is marked as sent only after a confirmation', async () => {
    const path = await newsletterOf(call, [await blockOf(call)])
    await call('PATCH', path, { status: 'ready' })
    const { html } = await editor.get(`${path}/export`)
    const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? ''
    const previewHash = /name="preview_hash" value="(\w+)"/.exec(html)?.[1] ?? ''
    const page = await follow(
      editor,
      await editor.post(`${path}/status`, {
        to: 'sent',
        version,
        preview_hash: previewHash,
        page: 'export',
      }),
    )
    expect(flashMessage(page)).toContain('Confirm first')
    expect((await loadNewsletter(path)).status).toBe('ready')
  })

  test('links that hide their target and tracking images are warned about', async () => {
    const body = [
      '<a href="https://bank.test@evil.test/">Bank</a>',
      '<a href="mailto:a@acme.test?bcc=b@evil.test">Write</a>',
      '<img src="https://evil.test/p.gif" alt="" width="1" height="1">',
    ].join(' ')
    const path = await newsletterOf(call, [await blockOf(call, { body, body_format: 'html' })])
    const { html } = await editor.get(path)
    expect(html).toContain('it leads to evil.test')
    expect(html).toContain('adds more recipients')
    expect(html).toContain('one pixel in size')
  })

  test('a newsletter that has changed since the export page was loaded cannot be marked as sent', async () => {
    const path = await newsletterOf(call, [await blockOf(call)])
    await call('PATCH', path, { status: 'ready' })
    const { version } = await loadNewsletter(path)
    await call('PATCH', path, { title: 'Changed meanwhile' })
    const late = { to: 'sent', version: String(version), page: 'export', confirm: 'on' }
    const page = await follow(editor, await editor.post(`${path}/status`, late))
    expect(flashMessage(page)).toContain('Someone else changed this newsletter')
    expect((await loadNewsletter(path)).status).toBe('ready')
  })

  test('a newsletter cannot be marked as sent when one of its blocks has changed since the export page was loaded', async () => {
    const block = await blockOf(call)
    const path = await newsletterOf(call, [block])
    await call('PATCH', path, { status: 'ready' })
    const form = (html: string) => ({ to: 'sent', confirm: 'on', ...shownFields(html) })
    const { html } = await editor.get(`${path}/export`)
    await call('PATCH', `/content_blocks/${block}`, { title: 'Corrected' })
    await editor.post(`${path}/status`, form(html))
    expect((await loadNewsletter(path)).status).toBe('ready')
    await editor.post(`${path}/status`, form((await editor.get(`${path}/export`)).html))
    expect((await loadNewsletter(path)).status).toBe('sent')
  })

  describe('A newsletter without a planned date', () => {
    afterEach(() => {
      clock = morning
    })

    /** What the export page sends that was opened ten minutes before midnight in UTC, 15:50 in Los Angeles. */
    async function openedBeforeMidnight(block: string) {
      const path = await newsletterOf(call, [block])
      await call('PATCH', path, { status: 'ready' })
      clock = Date.parse('2026-11-21T23:50:00Z')
      const { html } = await editor.get(`${path}/export`)
      const sent = (await editor.get(`${path}/html`)).html
      return { path, sent, form: { to: 'sent', confirm: 'on', ...shownFields(html) } }
    }
    const read = async (path: string) => (await editor.get(`${path}/html`)).html

    test('a newsletter without a planned date is marked as sent after midnight, and its snapshot has the days of the email', async () => {
      const event = { slug: 'founding-day', name: 'Founding day', category: 'corporate' }
      await call('POST', '/events', { ...event, event_date: '2019-11-21', recurs: true })
      const about = { block_type: 'event_announcement', event_slug: 'founding-day' }
      const { path, sent, form } = await openedBeforeMidnight(await blockOf(call, about))
      expect(sent).toContain('21 November 2026')
      clock = Date.parse('2026-11-22T00:05:00Z')
      const page = await follow(editor, await editor.post(`${path}/status`, form))
      expect(flashMessage(page)).not.toContain('Someone else')
      expect((await loadNewsletter(path)).status).toBe('sent')
      expect(await read(path)).toBe(sent)
    })

    test('an approved newsletter that is marked as sent after midnight keeps its approval', async () => {
      const { path, form } = await openedBeforeMidnight(await blockOf(call))
      const id = path.slice('/newsletters/'.length)
      await app.sql`
        update newsletters set approved_at = now(), approved_by = (
          select id from members where team_id = ${team.id} limit 1
        ) where id = ${id}`
      clock = Date.parse('2026-11-22T00:05:00Z')
      await editor.post(`${path}/status`, form)
      const [row] = await app.sql`
        select status, sent_day::text, approved_by from newsletters where id = ${id}`
      expect(row).toEqual({
        status: 'sent',
        sent_day: '2026-11-21',
        approved_by: expect.stringMatching(/^mb_/),
      })
    })

    test('a newsletter without a planned date has the day of its email in the list of the archive and in the feed, and that of the next email when it is sent again', async () => {
      const admin = await signedIn(app, team, 'admin')
      const { json } = await call('PATCH', '/team', { archive: 'link' })
      const archive = new URL(json.team.archive_url).pathname
      await admin.post('/settings/archive/feed')
      const settings = (await admin.get('/settings/archive')).html
      const feed = new URL(/id="feed" value="([^"]+)"/.exec(settings)?.[1] ?? '').pathname
      const shownDays = async (path: string) => {
        const id = path.split('/').at(-1) ?? ''
        const list = (await editor.get(archive)).html
        const entry = new RegExp(`${id}"[^>]*>[^<]*</a>\\s*<time datetime="([^"]*)"`).exec(list)
        const entries = (await editor.get(feed)).html.split('<entry>')
        const own = entries.find((one) => one.includes(id)) ?? ''
        return [entry?.[1], /<published>(.{10})/.exec(own)?.[1]]
      }
      try {
        const { path, sent, form } = await openedBeforeMidnight(await blockOf(call))
        expect(sent).toContain('21 November 2026')
        clock = Date.parse('2026-11-22T00:05:00Z')
        await editor.post(`${path}/status`, form)
        expect(await shownDays(path)).toEqual(['2026-11-21', '2026-11-21'])
        await editor.post(`${path}/undo-send`)
        await send(call, path)
        expect(await read(path)).toContain('22 November 2026')
        expect(await shownDays(path)).toEqual(['2026-11-22', '2026-11-22'])
      } finally {
        await call('PATCH', '/team', { archive: 'off' })
      }
    })

    test('a newsletter without a planned date that was exported after midnight has this day in its snapshot', async () => {
      const { path, sent, form } = await openedBeforeMidnight(await blockOf(call))
      clock = Date.parse('2026-11-22T00:05:00Z')
      const exported = await read(path)
      expect(exported).not.toBe(sent)
      await editor.post(`${path}/status`, { ...form, exported_on: '2026-11-22' })
      expect((await loadNewsletter(path)).status).toBe('sent')
      expect(await read(path)).toBe(exported)
    })

    test('a newsletter without a planned date is not marked as sent when a block changed since the page was opened before midnight', async () => {
      const block = await blockOf(call)
      const { path, form } = await openedBeforeMidnight(block)
      clock = Date.parse('2026-11-22T00:05:00Z')
      await call('PATCH', `/content_blocks/${block}`, { title: 'Corrected' })
      const page = await follow(editor, await editor.post(`${path}/status`, form))
      expect(flashMessage(page)).toContain('Someone else changed this newsletter')
      expect((await loadNewsletter(path)).status).toBe('ready')
    })

    test.each(['2026-11-22', '2026-11-13', '2026-11-21x', 'constructor', ''])(
      'a newsletter without a planned date is not sent with the day “%s”, which no open page has',
      async (day) => {
        const { path, sent, form } = await openedBeforeMidnight(await blockOf(call))
        await editor.post(`${path}/status`, { ...form, preview_day: day })
        expect((await loadNewsletter(path)).status).toBe('sent')
        expect(await read(path)).toBe(sent)
      },
    )

    test.each(['2026-11-23', '2026-11-20', 'zzz'])(
      'a newsletter without a planned date has the day of the page in its snapshot when the export names “%s”',
      async (exported_on) => {
        const { path, sent, form } = await openedBeforeMidnight(await blockOf(call))
        clock = Date.parse('2026-11-22T00:05:00Z')
        await editor.post(`${path}/status`, { ...form, exported_on })
        expect((await loadNewsletter(path)).status).toBe('sent')
        expect(await read(path)).toBe(sent)
      },
    )
  })

  test('a sent newsletter keeps its content and rejects changes', async () => {
    const block = await blockOf(call, { title: 'As it was' })
    const path = await newsletterOf(call, [block])
    await send(call, path)
    await call('PATCH', `/content_blocks/${block}`, { title: 'Changed later' })
    const { html } = await editor.get(path)
    expect(html).toContain('As it was')
    expect(html).not.toContain('Changed later')
    expect((await editor.get(`${path}/html`)).html).toContain('As it was')
    const actions = [...html.matchAll(/action="(\/newsletters\/[^"]+)"/g)].map(([, one]) => one)
    expect(actions).toEqual([`${path}/undo-send`, `${path}/duplicate`])
    expect(html).toContain('Duplicate with its blocks')
    const copy = /href="(\/newsletters\/new\?from=nl_\w+)">\s*Duplicate without its blocks/.exec(
      html,
    )
    const fill = async (address: string) =>
      /<input[^>]*name="fill"[^>]*>/.exec((await editor.get(address)).html)?.[0]
    expect(await fill(copy?.[1] ?? '')).not.toContain('checked')
    expect(await fill('/newsletters/new')).toContain('checked')
    const tries = [
      ...[['/order', { remove: 'x' }] as const, ['/blocks', { add: block }] as const],
      ...[['/delete', {}] as const, ['/compose', {}] as const],
      ['', { subject_line: 'New', original_subject_line: 'What November brought' }] as const,
    ]
    for (const [end, fields] of tries) {
      const page = await follow(editor, await editor.post(path + end, fields))
      expect(flashMessage(page)).toContain('was sent')
    }
  })

  test('deleting a draft newsletter keeps its blocks', async () => {
    const block = await blockOf(call)
    const path = await newsletterOf(call, [block])
    expect((await editor.get(`${path}/delete`)).html).toContain('Delete the newsletter')
    const page = await follow(editor, await editor.post(`${path}/delete`))
    expect(flashMessage(page)).toContain('Deleted')
    expect((await editor.get(path)).status).toBe(404)
    expect((await call('GET', `/content_blocks/${block}`)).status).toBe(200)
  })
})

describe('Previews by email', () => {
  test('a preview goes to its sender or to the selected members, with a note', async () => {
    const mails = (path: string) => app.sql<{ recipient: string; text: string }[]>`
      select m.recipient, p.text from preview_emails m join previews p on p.id = m.preview_id
      where p.newsletter_id = ${path.split('/').at(-1) ?? ''}`
    const path = await newsletterOf(call, [await blockOf(call)])
    await editor.post(`${path}/preview`, { note: 'Look at the second one.' })
    const alone = await mails(path)
    expect(alone).toMatchObject([{ recipient: editor.email }])
    expect(alone[0]?.text).toStartWith('Look at the second one.')
    const other = await signedIn(app, team, 'viewer')
    const chosen = [other.email, editor.email].toSorted()
    const next = await newsletterOf(call, [await blockOf(call)])
    await editor.post(`${next}/preview`, { 'recipients[]': chosen })
    expect((await mails(next)).map(({ recipient }) => recipient).toSorted()).toEqual(chosen)
  })

  test('unknown recipients and the daily limit are errors of the form, and nothing is sent', async () => {
    const path = await newsletterOf(call, [await blockOf(call)])
    const count = async () => (await app.sql`select 1 from preview_emails`).length
    const before = await count()
    const stranger = await editor.post(`${path}/preview`, {
      'recipients[]': ['evil@elsewhere.example'],
      note: 'Kept words',
    })
    expect(stranger.status).toBe(422)
    expect(stranger.html).toContain('vil@elsewhere.example is not a member of this team')
    expect(stranger.html).toContain('Kept words')
    await app.sql`
      insert into preview_daily_usage (team_id, day, emails) values (${team.id}, '2026-11-21', 100)
      on conflict (team_id, day) do update set emails = 100`
    const late = await editor.post(`${path}/preview`)
    expect(late.status).toBe(422)
    expect(late.html).toContain('A team may send 100 preview emails a day')
    expect(await count()).toBe(before)
  })
})

describe('Export', () => {
  test('the .eml file is a draft with HTML, plain text and subject', async () => {
    const subject = 'Grüße – "quoted", 100 % =?utf-8?B?eA==?= 🎉'
    const path = await newsletterOf(call, [await blockOf(call, { title: 'Ein Gewinn für alle' })], {
      title: 'Größe & Form / November',
      subject_line: subject,
    })
    const { status, headers, html: raw } = await editor.get(`${path}/eml`)
    expect([status, headers.get('content-type')]).toEqual([200, 'message/rfc822'])
    const name = headers.get('content-disposition') ?? ''
    expect(name).toStartWith('attachment; filename="Groe-Form-November.eml"')
    expect(name).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe-Form-November.eml")
    expect(raw).toStartWith('X-Unsent: 1\r\n')
    const mail = await simpleParser(raw)
    expect(mail.headers.get('content-type')).toMatchObject({ value: 'multipart/alternative' })
    expect(mail.subject).toBe(subject)
    expect(mail.to).toBeUndefined()
    expect(mail.from?.value).toEqual([{ name: 'Ines Okafor', address: editor.email }])
    expect(mail.text).toContain('Ein Gewinn für alle')
    const shown = await editor.get(`${path}/html`)
    expect(String(mail.html).trim()).toBe(shown.html.trim())
  })

  test('the .html file is the rendered email', async () => {
    const path = await newsletterOf(call, [await blockOf(call)])
    const file = await viewer.get(`${path}/html?file`)
    expect(file.headers.get('content-disposition')).toContain('filename="November.html"')
    expect(file.html).toBe((await call('GET', `${path}/preview`)).json.preview.html)
  })

  test('the light and dark previews change only the styles of the template, not the text of people', async () => {
    const prose = 'We write @media (prefers-color-scheme: dark) in mails.'
    const path = await newsletterOf(call, [await blockOf(call, { body: prose })])
    const dark = (await viewer.get(`${path}/html?scheme=dark`)).html
    const light = (await viewer.get(`${path}/html?scheme=light`)).html
    expect(dark).toContain('@media all {')
    expect(light).toContain('@media not all {')
    for (const html of [dark, light]) {
      expect(html).toContain(prose)
      expect(html.replace(prose, '')).not.toContain('prefers-color-scheme')
    }
  })
})

test('a viewer can see and export a newsletter but not change it', async () => {
  const path = await newsletterOf(call, [await blockOf(call, { title: 'For all to read' })])
  for (const end of ['', '/export']) {
    const { status, html } = await viewer.get(path + end)
    expect(status).toBe(200)
    expect(html).not.toContain(`action="${path}`)
    expect(html).not.toContain('Mark')
  }
  expect((await viewer.get(path)).html).toContain('For all to read')
  for (const end of ['', '/blocks', '/order', '/compose', '/status', '/preview', '/delete']) {
    expect((await viewer.post(path + end)).status).toBe(403)
  }
  expect((await viewer.get('/newsletters')).html).not.toContain('New newsletter')
})

test('newsletters and blocks of another team are not found', async () => {
  const other = await app.team()
  const outsider = await signedIn(app, other, 'admin')
  const path = await newsletterOf(call, [await blockOf(call)])
  const ends = ['', '/html', '/eml', '/preview', '/export', '/delete']
  for (const end of ends) expect((await outsider.get(path + end)).status).toBe(404)
  const own = await newsletterOf(await unlimitedClient(app, other))
  const block = await blockOf(call, { title: 'Not for them' })
  const page = await follow(outsider, await outsider.post(`${own}/blocks`, { add: block }))
  expect(flashMessage(page)).toContain('was not found')
  expect((await outsider.get(`/newsletters/new?from=${path.split('/').at(-1)}`)).status).toBe(404)
})
