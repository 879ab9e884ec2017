import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ArchiveMode } from '../../../src/contract/vocabulary.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { type Person, person, signedIn } from '../../support/console.ts'
import {
  blockOf,
  type Call,
  newsletterOf,
  send,
  unlimitedClient,
} from '../../support/newsletters.ts'

let app: TestApp
let nowMs = Date.now()
beforeAll(async () => {
  app = await startApp({ now: () => new Date(nowMs) })
})
afterAll(async () => {
  await app.close()
})

interface TeamWithArchive {
  team: Team
  call: Call
  /** The path of the archive. */
  path: string
}

async function teamWithArchive(archive: ArchiveMode = 'link'): Promise<TeamWithArchive> {
  // The limit of a network counts fixed minutes.
  nowMs += 60_000
  const team = await app.team()
  const call = await unlimitedClient(app, team)
  const { json } = await call('PATCH', '/team', { archive })
  return { team, call, path: pathOf(json.team.archive_url) }
}

const pathOf = (address: string) => new URL(address).pathname

/** Sends a newsletter with one block. Gives its id. */
async function sendOne(call: Call, title: string, body = 'Something happened.'): Promise<string> {
  nowMs += 1000
  const block = await blockOf(call, { title: `About ${title}`, body })
  const newsletter = await newsletterOf(call, [block], { title, preheader_text: `Why ${title}` })
  await send(call, newsletter)
  return newsletter.split('/').at(-1) ?? ''
}

const getPage = (path: string, headers: Record<string, string> = {}) =>
  person(app.base).get(path, headers)

describe('archive', () => {
  test('the archive of a team is off at first: newsletters have no address in it and no link to it', async () => {
    const team = await app.team()
    const call = await unlimitedClient(app, team)
    const id = await sendOne(call, 'May')
    expect((await call('GET', `/newsletters/${id}`)).json.newsletter.archive_url).toBeNull()
    const { json } = await call('GET', '/team')
    expect(json.team).toMatchObject({ archive: 'off', archive_url: null })
    const preview = (await call('GET', `/newsletters/${id}/preview`)).json.preview
    expect(preview.html + preview.text).not.toContain('View in browser')
  })

  test('the archive of a team has a page for a sent newsletter, with its text and its images, for everybody with the link', async () => {
    const { call, path } = await teamWithArchive()
    const id = await sendOne(call, 'June', '<p>See <img src="https://a.test/b.png" alt="us"></p>')
    const { newsletter } = (await call('GET', `/newsletters/${id}`)).json
    expect(pathOf(newsletter.archive_url)).toBe(`${path}/${id}`)
    const { status, html } = await getPage(`${path}/${id}`)
    expect(status).toBe(200)
    expect(html).toContain('About June')
    expect(html).toContain('src="https://a.test/b.png" alt="us"')
    // A later change of the team does not change what was sent, only what stands around it.
    await call('PATCH', '/team', { name: 'Renamed' })
    expect((await getPage(`${path}/${id}`)).html).toContain('Renamed</b></a>')
  })

  test('the archive of a team is linked from previews, exports and the plain text before and after it is sent', async () => {
    const { call, path } = await teamWithArchive()
    const newsletter = await newsletterOf(call, [await blockOf(call)])
    const address = `http://tidings.test${path}/${newsletter.split('/').at(-1)}`
    const before = (await call('GET', `${newsletter}/preview`)).json.preview
    expect(before.html).toContain(`<a href="${address}"`)
    expect(before.text).toContain(`View in browser: ${address}`)
    expect((await call('GET', newsletter)).json.newsletter.archive_url).toBeNull()
    await send(call, newsletter)
    const { preview } = (await call('GET', `${newsletter}/preview`)).json
    expect(preview).toMatchObject({ html: before.html, text: before.text })
  })

  test('the archive of a team is linked from the preview in the console only when the newsletter is sent', async () => {
    const { team, call } = await teamWithArchive()
    const newsletter = await newsletterOf(call, [await blockOf(call)])
    const editor = await signedIn(app, team, 'editor')
    const preview = `${newsletter}/html`
    expect((await editor.get(preview)).html).not.toContain('View in browser')
    expect((await editor.get(`${preview}?copy`)).html).toContain('View in browser')
    await send(call, newsletter)
    expect((await editor.get(preview)).html).toContain('View in browser')
  })

  test('the archive of a team is offered with a warning about forwarded emails', async () => {
    const { team } = await teamWithArchive()
    const admin = await signedIn(app, team, 'admin')
    const { html } = await admin.get('/settings/archive')
    expect(html).toContain('a person who gets a forwarded email can read all newsletters')
  })

  test('the archive of a team says of a newsletter that is not sent that it is not there yet, and shows nothing of it', async () => {
    const { call, path } = await teamWithArchive()
    const block = await blockOf(call, { title: 'A secret plan' })
    const id = (await newsletterOf(call, [block])).split('/').at(-1)
    const { status, html } = await getPage(`${path}/${id}`)
    expect(status).toBe(404)
    expect(html).toContain('This newsletter is not in the archive yet.')
    expect(html).not.toContain('A secret plan')
    expect((await getPage(path)).html).toContain('No newsletter has been sent yet.')
  })

  test('the archive of a team shows no newsletter of another team, neither on a page, in the list nor in the search', async () => {
    const one = await teamWithArchive()
    const other = await teamWithArchive()
    const id = await sendOne(one.call, 'Walrus')
    expect((await getPage(`${other.path}/${id}`)).status).toBe(404)
    expect((await getPage(other.path)).html).not.toContain('Walrus')
    expect((await getPage(`${other.path}?q=walrus`)).html).not.toContain(id)
    expect((await getPage(`${other.path}?before=${id}`)).html).not.toContain('archive-entry')
  })

  test('the archive of a team stops at once when it is turned off, and continues under the same link', async () => {
    const { call, path } = await teamWithArchive()
    const id = await sendOne(call, 'July')
    await call('PATCH', '/team', { archive: 'off' })
    expect((await getPage(path)).status).toBe(404)
    expect((await getPage(`${path}/${id}`)).status).toBe(404)
    await call('PATCH', '/team', { archive: 'link' })
    expect((await getPage(`${path}/${id}`)).status).toBe(200)
  })

  test('the archive of a team has a link that can be replaced: the former link stops at once, also for browsers that know the page', async () => {
    const { team, call, path } = await teamWithArchive()
    const id = await sendOne(call, 'August')
    const known = (await getPage(`${path}/${id}`)).headers.get('etag') ?? ''
    const admin = await signedIn(app, team, 'admin')
    await admin.get('/settings/archive')
    await admin.post('/settings/archive/replace')
    expect((await getPage(path)).status).toBe(404)
    expect((await getPage(`${path}/${id}`, { 'if-none-match': known })).status).toBe(404)
    const { json } = await call('GET', `/newsletters/${id}`)
    const present = pathOf(json.newsletter.archive_url)
    const { status, html } = await getPage(present)
    expect([status, present === `${path}/${id}`]).toEqual([200, false])
    // Also the link in the footer of the email, which contains the former address, is not shown.
    expect(html).not.toContain(path)
  })

  test('links the newsletters before and after a newsletter', async () => {
    const { call, path } = await teamWithArchive()
    const ids = [await sendOne(call, 'One'), await sendOne(call, 'Two'), await sendOne(call, 'Six')]
    const linksOn = async (id = '') =>
      [...(await getPage(`${path}/${id}`)).html.matchAll(/<span>(\w+)<\/span><b>(\w+)<\/b>/g)].map(
        ([, label, title]) => `${label}: ${title}`,
      )
    expect(await linksOn(ids[0])).toEqual(['Newer: Two'])
    expect(await linksOn(ids[1])).toEqual(['Older: One', 'Newer: Six'])
    expect(await linksOn(ids[2])).toEqual(['Older: Two'])
  })

  test('the archive of a team shows a newsletter without the link to the page that it is on', async () => {
    const { call, path } = await teamWithArchive()
    await call('PATCH', '/team', { share_url: 'https://forms.test/news' })
    const body = '<p>Read <a href="https://a.test/all">all of it</a>.</p>'
    const first = await sendOne(call, 'One', body)
    const { html } = await getPage(`${path}/${first}`)
    expect(html).not.toContain('View in browser')
    expect(html).not.toContain('&nbsp;·&nbsp;')
    expect(html).toContain('href="https://a.test/all"')
    expect(html).toContain('Share your news')
    // A link to another newsletter of the archive stays.
    const link = `<p>As <a href="http://tidings.test${path}/${first}">in One</a>.</p>`
    const second = await getPage(`${path}/${await sendOne(call, 'Two', link)}`)
    expect(second.html).toContain(`href="http://tidings.test${path}/${first}"`)
    expect(second.html).not.toContain('View in browser')
  })

  test('the archive of a team uses the words of the language of the team', async () => {
    const { call, path } = await teamWithArchive()
    await call('PATCH', '/team', { language: 'de' })
    const { html } = await getPage(`${path}?q=nichts`)
    expect(html).toContain('<html lang="de">')
    expect(html).toContain('Kein Newsletter enthält „nichts“.')
  })
})

describe('archive: list', () => {
  test('the list of an archive has pages of 20, newest first, and each newsletter once', async () => {
    const { team, path } = await teamWithArchive()
    await insertSent(team, 45)
    const seen: string[] = []
    let next: string | undefined = path
    while (next) {
      const { html } = await getPage(next)
      const titles = [...html.matchAll(/class="archive-entry"[^>]*>([^<]+)</g)].map(
        ([, one]) => one,
      )
      expect(titles.length).toBeLessThanOrEqual(20)
      seen.push(...titles.map(String))
      next = /href="([^"]+)" rel="next"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, at) => `Issue ${45 - at}`))
  })

  test('the list of an archive finds newsletters by words of their title and their text, also in Japanese', async () => {
    const { call, path } = await teamWithArchive()
    await sendOne(call, 'Harbour', 'The lighthouse shines again.')
    await sendOne(call, 'Garden', '今月のニュースをお届けします')
    const found = async (q: string) =>
      [
        ...(await getPage(`${path}?q=${encodeURIComponent(q)}`)).html.matchAll(
          /archive-entry"[^>]*>(\w+)</g,
        ),
      ].map(([, title]) => title)
    expect(await found('lighthouse again')).toEqual(['Harbour'])
    expect(await found('garden')).toEqual(['Garden'])
    expect(await found('ニュース')).toEqual(['Garden'])
    expect(await found('lighthouse ニュース')).toEqual([])
    expect(await found('%')).toEqual([])
  })

  test('the list of an archive shows the text around the words of a search, with these marked', async () => {
    const { team, call, path } = await teamWithArchive()
    const link = '<a href="https://a.test/lamp">lamp</a>'
    await sendOne(
      call,
      'Harbour',
      `<p>${'Before it. '.repeat(20)}The lighthouse has a new ${link} & shines.</p><p>${'After it. '.repeat(30)}</p>`,
    )
    await sendOne(call, 'Garden', '今月のニュースをお届けします')
    const excerpts = async (q: string) => {
      const { html } = await getPage(`${path}?q=${encodeURIComponent(q)}`)
      return [...html.matchAll(/<\/time><p>(.*?)<\/p>/g)].map(([, one = '']) =>
        one.replaceAll(/<\/?span>/g, ''),
      )
    }
    const [excerpt = ''] = await excerpts('Lamp LIGHTHOUSE')
    expect(excerpt).toMatch(/^…(?:it\.|Before) /)
    expect(excerpt).toContain(
      'Before it. The <mark>lighthouse</mark> has a new <mark>lamp</mark> &amp; shines. After it.',
    )
    expect(excerpt).toEndWith('…')
    expect(excerpt.length).toBeLessThan(320)
    expect(await excerpts('ニュース')).toEqual([
      expect.stringContaining('今月の<mark>ニュース</mark>をお届けします'),
    ])
    // For a word that only the title contains, the preheader is shown.
    await insertSent(team, 1)
    await app.sql`
      update newsletters set preheader_text = 'In short' where team_id = ${team.id} and title = 'Issue 1'`
    expect(await excerpts('Issue')).toEqual(['In short'])
  })

  test('the list of an archive shows the planned date of a newsletter in the list and in the feed, as its email does', async () => {
    const { team, call, path } = await teamWithArchive()
    const block = await blockOf(call)
    const planned = { title: 'Planned', scheduled_date: '2031-03-27' }
    const newsletter = await newsletterOf(call, [block], planned)
    await send(call, newsletter)
    const admin = await signedIn(app, team, 'admin')
    await admin.post('/settings/archive/feed')
    const settings = (await admin.get('/settings/archive')).html
    const feed = pathOf(/id="feed" value="([^"]+)"/.exec(settings)?.[1] ?? '')
    const list = (await getPage(path)).html
    expect(list).toContain('<time datetime="2031-03-27">27 March 2031</time>')
    const email = await getPage(`${path}/${newsletter.split('/').at(-1)}`)
    expect(email.html).toContain('27 March 2031')
    expect((await getPage(feed)).html).toContain('<published>2031-03-27T')
  })

  test('the list of an archive leaves the lines of links of an email out of the text around a match', async () => {
    const { call, path } = await teamWithArchive()
    const credit = { author: 'Ines Andrade', source_url: 'https://acme.test/office' }
    const office = await blockOf(call, { title: 'New office', body: 'We move.', ...credit })
    const next = await blockOf(call, { title: 'Lamps', body: 'They shine.' })
    await send(call, await newsletterOf(call, [office, next], { title: 'May' }))
    const { html } = await getPage(`${path}?q=move`)
    const [, excerpt = ''] = /<\/time><p>(.*?)<\/p>/.exec(html) ?? []
    expect(excerpt).toContain('By Ines Andrade')
    expect(excerpt).toContain('They shine.')
    expect(excerpt).not.toContain('Read more')
  })

  test('the list of an archive shows titles and search words as text', async () => {
    const { call, path } = await teamWithArchive()
    await sendOne(call, '<img src=x onerror=alert(1)>')
    const { html } = await getPage(`${path}?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(html).not.toContain('"><script')
    expect((await getPage(path)).html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })
})

/** Newsletters of a team that were sent one minute after the other. */
async function insertSent(team: Team, count: number): Promise<void> {
  await app.sql`
    insert into newsletters (id, team_id, title, template_slug, status, sent_at, sent_html, sent_text,
      created_at, updated_at)
    select 'nl_' || lpad(to_hex(hashtext(${team.id}) & 65535) || lpad(n::text, 6, '0'), 32, '0'),
      ${team.id}, 'Issue ' || n, 'clean', 'sent', now() + n * interval '1 minute', '<p>Text</p>',
      'Text', now(), now()
    from generate_series(1, ${count}::int) n`
}

describe('archive: pages', () => {
  let at: TeamWithArchive
  let pages: string[]
  beforeAll(async () => {
    at = await teamWithArchive()
    pages = [at.path, `${at.path}/${await sendOne(at.call, 'September')}`]
  })

  test('a page of an archive asks search engines not to list it, and sends its address to no other site', async () => {
    for (const page of pages) {
      const { headers, html } = await getPage(page)
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
      expect(html).toContain('<meta name="robots" content="noindex, nofollow"')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('a page of an archive cannot run scripts, be framed or send a form elsewhere', async () => {
    const policies = await Promise.all(
      pages.map(async (page) => (await getPage(page)).headers.get('content-security-policy') ?? ''),
    )
    for (const policy of policies) {
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("form-action 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('script-src')
      expect(policy).not.toContain('allow-scripts')
    }
    expect(policies[1]).toStartWith('sandbox allow-popups allow-popups-to-escape-sandbox;')
  })

  test('a page of an archive sets no cookie, also for a person who is signed in', async () => {
    const member = await signedIn(app, at.team, 'viewer')
    for (const page of pages) {
      const { status, headers } = await member.get(page)
      expect([status, headers.getSetCookie()]).toEqual([200, []])
    }
  })

  test('a page of an archive is sent again only when it has changed', async () => {
    for (const page of pages) {
      const { headers } = await getPage(page)
      expect(headers.get('cache-control')).toBe('private, no-cache')
      const etag = headers.get('etag') ?? ''
      const again = await getPage(page, { 'if-none-match': `W/${etag}` })
      expect([again.status, again.html]).toEqual([304, ''])
      expect((await getPage(page, { 'if-none-match': '"other"' })).status).toBe(200)
    }
  })

  test('a page of an archive is the same for a link that never existed and for one that is malformed', async () => {
    const token = at.path.split('/').at(-1) ?? ''
    const guesses = [token.slice(0, -1), `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`]
    for (const guess of [...guesses, 'x', '%00', `${token}x`, token.toLowerCase()]) {
      expect((await getPage(`/archive/${guess}`)).status).toBe(404)
    }
  })

  test('a page of an archive does not leave the token of its address in the log', async () => {
    for (const page of pages) await getPage(page)
    expect(app.logLines.join('\n')).not.toContain(at.path.split('/').at(-1) ?? at.path)
  })

  test('a page of an archive shows a stored newsletter without scripts, forms, frames, styles that load and comments', async () => {
    const { team, call, path } = await teamWithArchive()
    const id = await sendOne(call, 'October')
    const hostile = `<html><head><style type="text/css">a{background:url(//evil.test/a)}</style></head>
      <body onload="alert(1)"><p style="position:fixed;color:red;background:url(//evil.test/b)">kept</p>
      <script>alert(2)</script><form action="//evil.test"><input name="password"></form>
      <iframe src="//evil.test"></iframe><a href="javascript:alert(3)">link</a>
      <img src="x" onerror="alert(4)"><svg onload="alert(5)"></svg><!-- hidden --></body></html>`
    await app.sql`
      update newsletters set sent_html = ${hostile} where team_id = ${team.id} and id = ${id}`
    const { html } = await getPage(`${path}/${id}`)
    expect(html).toContain('<p style="color:red">kept</p>')
    for (const gone of ['evil.test', 'alert(', '<script', '<form', '<iframe', '<svg', 'hidden']) {
      expect(html).not.toContain(gone)
    }
  })

  test('a page of an archive is limited to 600 requests of a network in a minute', async () => {
    nowMs += 60_000
    const statuses = new Set<number>()
    for (let sent = 0; sent < 600; sent += 100) {
      const some = Array.from({ length: 100 }, () => getPage('/archive/none'))
      for (const { status } of await Promise.all(some)) statuses.add(status)
    }
    expect([...statuses]).toEqual([404])
    const limited = await getPage(at.path)
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    nowMs += 60_000
  })
})

describe('archive: members', () => {
  let at: TeamWithArchive
  let page: string
  beforeAll(async () => {
    at = await teamWithArchive('members')
    page = `${at.path}/${await sendOne(at.call, 'November')}`
  })

  test('an archive for members sends people without a session to the sign-in page, which leads back', async () => {
    for (const path of [at.path, page]) {
      const { status, location, html } = await getPage(path)
      expect([status, html]).toEqual([303, ''])
      expect(location).toBe(`/login?next=${encodeURIComponent(path)}`)
    }
  })

  test('an archive for members is shown to every member of the team, and to no member of another team', async () => {
    const viewer = await signedIn(app, at.team, 'viewer')
    expect((await viewer.get(page)).html).toContain('About November')
    const stranger = await signedIn(app, await app.team(), 'admin')
    const { status, html } = await stranger.get(page)
    expect(status).toBe(403)
    expect(html).not.toContain('About November')
  })

  test('an archive for members is shown to a member whose session is in another of their teams', async () => {
    const viewer = await signedIn(app, at.team, 'viewer')
    const other = await app.team()
    await app.sql`
      insert into members (id, team_id, account_id, email, name, role, created_at)
      select 'mb_' || md5(random()::text), ${other.id}, account_id, email, name, role, now()
      from members where id = ${viewer.id}`
    await viewer.post('/account/team', { team: other.id })
    expect((await viewer.get(page)).status).toBe(200)
  })

  test('an archive for members asks for a second factor where the team requires one', async () => {
    const { team, call, path } = await teamWithArchive('members')
    await sendOne(call, 'December')
    const viewer = await signedIn(app, team, 'viewer')
    await app.sql`update teams set requires_second_factor = true where id = ${team.id}`
    const { status, location } = await viewer.get(path)
    expect([status, location]).toEqual([303, '/account/second-factor'])
  })
})

describe('archive: feed', () => {
  async function feedOf(admin: Person): Promise<string> {
    const { html } = await admin.get('/settings/archive')
    return pathOf(/id="feed" value="([^"]+)"/.exec(html)?.[1] ?? 'http://none.test/none')
  }

  test('the feed of an archive lists the newest newsletters as Atom, under a link of its own', async () => {
    const { team, call, path } = await teamWithArchive()
    const id = await sendOne(call, 'Fish & <chips>')
    const admin = await signedIn(app, team, 'admin')
    await admin.get('/settings/archive')
    await admin.post('/settings/archive/feed')
    const feed = await feedOf(admin)
    const { status, headers, html: xml } = await getPage(feed)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    expect(headers.getSetCookie()).toEqual([])
    expect(xml).toContain('<title>Fish &amp; &lt;chips&gt;</title>')
    expect(xml).toContain(
      `<link rel="alternate" type="text/html" href="http://tidings.test${path}/${id}"/>`,
    )
    expect(xml).toMatch(/<entry><id>urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/)
    expect(xml).toContain('<summary>Why Fish &amp; &lt;chips&gt;</summary>')
    expect((await getPage(path.replace('/archive/', '/archive-feed/'))).status).toBe(404)
    expect((await getPage(feed.replace('/archive-feed/', '/archive/'))).status).toBe(404)
  })

  test('the feed of an archive keeps the ids of its entries when links are replaced, and the former link stops at once', async () => {
    const { team, call } = await teamWithArchive()
    await sendOne(call, 'January')
    const admin = await signedIn(app, team, 'admin')
    await admin.get('/settings/archive')
    await admin.post('/settings/archive/feed')
    const former = await feedOf(admin)
    const idsOf = (xml: string) => [...xml.matchAll(/<id>([^<]+)/g)].map(([, id]) => id)
    const before = idsOf((await getPage(former)).html)
    await admin.post('/settings/archive/replace')
    await admin.post('/settings/archive/feed')
    expect((await getPage(former)).status).toBe(404)
    const present = await feedOf(admin)
    expect(idsOf((await getPage(present)).html)).toEqual(before)
    await admin.post('/settings/archive/feed/delete')
    expect((await getPage(present)).status).toBe(404)
    // No other link replaces it.
    expect((await admin.get('/settings/archive')).html).not.toContain('/archive-feed/')
  })

  test('the feed of an archive contains no text of a newsletter, and stops when the archive is turned off', async () => {
    const { team, call } = await teamWithArchive('members')
    await sendOne(call, 'February', 'Only for members.')
    const admin = await signedIn(app, team, 'admin')
    await admin.get('/settings/archive')
    await admin.post('/settings/archive/feed')
    const feed = await feedOf(admin)
    const { status, html: xml } = await getPage(feed)
    expect(status).toBe(200)
    expect(xml).not.toContain('Only for members.')
    await call('PATCH', '/team', { archive: 'off' })
    expect((await getPage(feed)).status).toBe(404)
  })
})

test('“Share your news” leads to the submission form of the team unless it has an address of its own', async () => {
  const team = await app.team()
  const call = client(app.base, await app.key(team, ['read', 'write']))
  const newsletter = await newsletterOf(call, [await blockOf(call)])
  const textOf = async () => (await call('GET', `${newsletter}/preview`)).json.preview.text
  expect(await textOf()).not.toContain('Share your news')
  const admin = await signedIn(app, team, 'admin')
  await admin.get('/settings/submissions')
  await admin.post('/settings/submissions/create')
  const { html } = await admin.get('/settings/submissions')
  const form = /id="link" value="([^"]+)"/.exec(html)?.[1]
  expect(await textOf()).toContain(`Share your news: ${form}`)
  await call('PATCH', '/team', { share_url: 'https://forms.test/news' })
  expect(await textOf()).toContain('Share your news: https://forms.test/news')
})
