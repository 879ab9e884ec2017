import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { NewTemplate, Template } from '../../../src/contract/newsletters/template.ts'
import { blockTypes } from '../../../src/contract/vocabulary.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { createTemplate } from '../../../src/features/templates/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { client, startApp, type TestApp } from '../../support/app.ts'
import { signedIn } from '../../support/console.ts'
import { blockOf, newsletterOf, send } from '../../support/newsletters.ts'

let app: TestApp
let team: Team
let other: Team
beforeAll(async () => {
  app = await startApp()
  team = await app.team()
  other = await app.team()
  for (const slug of ['monday', 'a-list', 'zebra']) await create(team, { slug })
  await create(other, { slug: 'theirs' })
})
afterAll(() => app.close())

const reader = async (of = team) => client(app.base, await app.key(of, ['read']))
const sections = [{ title: 'People', block_types: ['new_starter', 'team_spotlight'] as const }]
const wanted = { slug: 'own', name: 'Our own', description: 'What we send', sections }

async function create(of: Team, changes: Record<string, unknown> = {}) {
  const input = v.parse(NewTemplate, { ...wanted, ...changes })
  return await createTemplate(systemContext({ sql: app.sql, now: systemClock }, of.id), input)
}

const slugsOf = (json: { templates: { slug: string }[] }) => json.templates.map(({ slug }) => slug)

describe('GET /templates', () => {
  test("GET /templates lists the templates of every team, then the team's own by slug", async () => {
    const { status, json } = await (await reader())('GET', '/templates')
    expect(status).toBe(200)
    expect(slugsOf(json)).toEqual(['clean', 'bold', 'digest', 'a-list', 'monday', 'zebra'])
    expect(json.meta).toEqual({
      page: 1,
      per_page: 20,
      total: 6,
      total_pages: 1,
      next_cursor: null,
    })
    for (const template of json.templates) v.parse(Template, template)
  })

  test.each([1, 2, 3, 4, 5])(
    'GET /templates gives every template once in pages of %i, by number and by cursor',
    async (size) => {
      const get = await reader()
      const all = slugsOf((await get('GET', '/templates')).json)
      const byNumber: string[] = []
      for (let page = 1; page <= Math.ceil(all.length / size); page++) {
        byNumber.push(
          ...slugsOf((await get('GET', `/templates?per_page=${size}&page=${page}`)).json),
        )
      }
      expect(byNumber).toEqual(all)
      const byCursor: string[] = []
      let after = ''
      do {
        const { json } = await get('GET', `/templates?per_page=${size}${after}`)
        byCursor.push(...slugsOf(json))
        after = json.meta.next_cursor && `&after=${json.meta.next_cursor}`
      } while (after)
      expect(byCursor).toEqual(all)
    },
  )

  test('each template of every team has a section for every block type', async () => {
    const { json } = await (await reader())('GET', '/templates?per_page=3')
    for (const { sections: places } of json.templates as Template[]) {
      const placed = places.flatMap(({ block_types }) => block_types)
      expect(placed.toSorted()).toEqual([...blockTypes].sort())
    }
  })

  test('a page of templates past the end is empty', async () => {
    const { status, json } = await (await reader())('GET', '/templates?page=9')
    expect(status).toBe(200)
    expect(json.templates).toEqual([])
    expect(json.meta.total).toBe(6)
  })

  test("GET /templates lists no template of another team and refuses another team's cursor", async () => {
    const theirs = await reader(other)
    const { json } = await theirs('GET', '/templates?per_page=3')
    expect(slugsOf((await theirs('GET', '/templates')).json)).toEqual([
      'clean',
      'bold',
      'digest',
      'theirs',
    ])
    const stolen = await (await reader())('GET', `/templates?after=${json.meta.next_cursor}`)
    expect(stolen.status).toBe(422)
  })
})

describe('GET /templates/:slug', () => {
  test('GET /templates/:slug shows a template with its sections, its layout and its look', async () => {
    const get = await reader()
    const own = await get('GET', '/templates/monday')
    expect(own.status).toBe(200)
    expect(own.json).toEqual({
      template: {
        slug: 'monday',
        name: 'Our own',
        category: 'general',
        description: 'What we send',
        system: false,
        premium: false,
        sections,
        base: 'clean',
        style: {
          accent_color: null,
          background_color: null,
          font: 'system',
          width: 600,
          corner_radius: 8,
          show_logo: true,
        },
      },
    })
    const { json } = await get('GET', '/templates/digest')
    expect(json.template).toMatchObject({ slug: 'digest', name: 'Digest', system: true })
    v.parse(Template, json.template)
  })

  test("GET /templates/:slug gets the same 404 for another team's template as for an unknown one", async () => {
    const get = await reader()
    const [foreign, absent] = [
      await get('GET', '/templates/theirs'),
      await get('GET', '/templates/x'),
    ]
    expect(foreign.status).toBe(404)
    const { request_id: _, ...problem } = absent.json
    expect(foreign.json).toMatchObject(problem)
  })

  test('GET /templates/:slug needs the scope read', async () => {
    const write = client(app.base, await app.key(team, ['write', 'send_preview']))
    expect((await write('GET', '/templates')).status).toBe(403)
    expect((await write('GET', '/templates/clean')).json.required_scope).toBe('read')
  })
})

describe('A new template', () => {
  test('a new template cannot have a slug that its team uses already', async () => {
    await expect(create(team, { slug: 'monday' })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    expect((await create(other, { slug: 'monday' })).slug).toBe('monday')
  })

  test.each([
    { slug: 'clean' },
    { slug: 'Not a slug' },
    { base: 'fancy' },
    { sections: [] },
    { sections: [{ title: 'x', block_types: [] }] },
    { sections: [{ title: 'x', block_types: ['nonsense'] }] },
    { sections: [...sections, { title: 'Again', block_types: ['new_starter'] }] },
  ])('a new template is refused with %j', (changes) => {
    expect(v.safeParse(NewTemplate, wanted).success).toBe(true)
    expect(v.safeParse(NewTemplate, { ...wanted, ...changes }).success).toBe(false)
  })
})

describe('Templates of a team', () => {
  const writer = async (of = team) => client(app.base, await app.key(of, ['read', 'write']))

  test('a template is created, changed and deleted, and newsletters are rendered in its style', async () => {
    const call = await writer()
    const style = { accent_color: '#0F766E', font: 'georgia', corner_radius: 16 }
    const created = await call('POST', '/templates', { ...wanted, slug: 'mondays', style })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe('/api/v1/templates/mondays')
    expect(created.json.template).toMatchObject({
      slug: 'mondays',
      base: 'clean',
      system: false,
      style: { accent_color: '#0f766e', font: 'georgia', corner_radius: 16, width: 600 },
    })
    const newsletter = { title: 'November', template_slug: 'mondays' }
    const { id } = (await call('POST', '/newsletters', newsletter)).json.newsletter
    const previewHtml = async () =>
      (await call('GET', `/newsletters/${id}/preview`)).json.preview.html as string
    expect(await previewHtml()).toContain('Georgia')
    const changed = await call('PATCH', '/templates/mondays', {
      name: 'Mondays',
      base: 'bold',
      style: { width: 640 },
    })
    expect(changed.json.template).toMatchObject({ name: 'Mondays', base: 'bold' })
    expect(changed.json.template.style).toMatchObject({ font: 'georgia', width: 640 })
    expect(await previewHtml()).toContain('max-width:640px')
    expect((await call('DELETE', '/templates/mondays')).status).toBe(204)
    expect((await call('GET', '/templates/mondays')).status).toBe(404)
    const kept = (await call('GET', `/newsletters/${id}`)).json.newsletter
    expect(kept.template_slug).toBe('bold')
  })

  test('a newsletter that gets another template, because its own is deleted, has a new version and is listed as changed, also when it was sent', async () => {
    const call = await writer()
    await create(team, { slug: 'fridays', base: 'bold' })
    const unsent = await newsletterOf(call, [], { template_slug: 'fridays' })
    const sent = await newsletterOf(call, [await blockOf(call)], { template_slug: 'fridays' })
    await send(call, sent)
    const read = async (path: string, known = '') =>
      await call('GET', path, undefined, { 'if-none-match': known })
    const before = [await read(unsent), await read(sent)]
    await signedIn(app, team, 'editor')
    const approve = app.sql`
      update newsletters set approved_at = now(), approved_by = (
        select id from members where team_id = ${team.id} limit 1
      ) where id = ${sent.slice('/newsletters/'.length)} returning approved_by`
    const [approval] = await approve
    expect((await call('DELETE', '/templates/fridays')).status).toBe(204)
    for (const [at, path] of [unsent, sent].entries()) {
      const earlier = before[at]
      const { status, json } = await read(path, earlier?.headers.get('etag') ?? '')
      expect([status, json?.newsletter.template_slug]).toEqual([200, 'bold'])
      expect(json.newsletter.updated_at > earlier?.json.newsletter.updated_at).toBe(true)
    }
    expect(approval?.['approved_by']).toStartWith('mb_')
    expect(
      await app.sql`select approved_by from newsletters where id = ${sent.slice('/newsletters/'.length)}`,
    ).toMatchObject([approval])
  })

  test.each([
    [{ slug: 'clean' }, '/slug'],
    [{ slug: 'monday' }, '/slug'],
    [{ base: 'fancy' }, '/base'],
    [{ style: { width: 5000 } }, '/style/width'],
    [{ style: [] }, '/style'],
    [{ style: { font: 'Comic Sans' } }, '/style/font'],
    [{ style: { accent_color: 'red' } }, '/style/accent_color'],
    [{ sections: [] }, '/sections'],
  ])(
    'a template with the wrong field %j is refused, and the field is named',
    async (change, pointer) => {
      const call = await writer()
      const { status, json } = await call('POST', '/templates', { ...wanted, ...change })
      expect({ status, pointer: json.fields[0].pointer }).toEqual({ status: 422, pointer })
    },
  )

  test('a template that every team has, or that is another team’s, is never changed', async () => {
    const call = await writer()
    for (const slug of ['clean', 'theirs', 'none']) {
      expect((await call('PATCH', `/templates/${slug}`, { name: 'Mine' })).status).toBe(404)
      const { status, json } = await call('DELETE', `/templates/${slug}`)
      const shared = 'The template "clean" belongs to every team and cannot be changed.'
      expect(status).toBe(404)
      expect(json.detail).toContain(slug === 'clean' ? shared : 'The template was not found')
    }
  })
})
