import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import * as v from 'valibot'
import { loadConfig } from '../../src/config/index.ts'
import { Team } from '../../src/contract/team.ts'
import {
  addMember,
  findMembersByEmail,
  listMembers,
  NewMember,
  removeMember,
} from '../../src/features/members/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { client, readContext, startApp, type TestApp } from '../support/app.ts'

let app: TestApp
let at = new Date('2026-11-20T09:30:00Z')
const now = () => at

beforeAll(async () => {
  app = await startApp({ now })
})
afterAll(() => app.close())

async function newTeam() {
  const team = await app.team()
  const call = client(app.base, await app.key(team, ['read', 'write']))
  const add = (email: string, name = 'Ada', role?: 'admin' | 'editor' | 'viewer') =>
    addMember(
      systemContext({ sql: app.sql, now }, team.id),
      v.parse(NewMember, { email, name, role }),
    )
  const read = async () => v.parse(Team, (await call('GET', '/team')).json.team)
  return { team, call, add, read }
}

const unlimited = (used: number) => ({ used, limit: -1, unlimited: true })

describe('GET /team', () => {
  test('a new team has the self-hosted plan, which is unlimited except for AI drafts', async () => {
    const { team, call } = await newTeam()
    const { status, json } = await call('GET', '/team')
    expect(status).toBe(200)
    expect(json).toEqual({
      team: {
        name: team.name,
        slug: team.slug,
        brand_color: '#8b5cf6',
        newsletter_cadence: 'weekly',
        language: 'en',
        logo_url: null,
        logo_alt: null,
        contact: null,
        share_url: null,
        tone: null,
        words_to_avoid: [],
        example_texts: [],
        archive: 'off',
        archive_url: null,
        member_count: 0,
        plan: { name: 'Self-hosted', key: 'self_hosted' },
        usage: {
          newsletters: unlimited(0),
          content_blocks: unlimited(0),
          ai_generations: { used: 0, limit: 100, unlimited: false },
          team_members: unlimited(0),
          period_start: '2026-11-01T00:00:00.000Z',
          period_end: '2026-12-01T00:00:00.000Z',
        },
      },
    })
  })

  test('GET /team counts the blocks of this team and this calendar month in UTC', async () => {
    const ours = await newTeam()
    const theirs = await newTeam()
    const ingest = (call: typeof ours.call) =>
      call('POST', '/webhooks/ingest', { title: 't', body: 'b' })
    for (const moment of [
      '2026-10-31T23:59:59.999Z',
      '2026-11-01T00:00:00Z',
      '2026-11-30T23:59:59.999Z',
      '2026-12-01T00:00:00Z',
    ]) {
      at = new Date(moment)
      expect((await ingest(ours.call)).status).toBe(201)
    }
    await ingest(theirs.call)
    const used: number[] = []
    for (const moment of [
      '2026-10-15T00:00:00Z',
      '2026-11-01T00:00:00Z',
      '2026-11-30T23:59:59Z',
      '2026-12-31T23:59:59Z',
      '2027-01-01T00:00:00Z',
    ]) {
      at = new Date(moment)
      used.push((await ours.read()).usage.content_blocks.used)
    }
    expect(used).toEqual([1, 2, 2, 1, 0])
    expect((await ours.read()).usage).toMatchObject({
      period_start: '2027-01-01T00:00:00.000Z',
      period_end: '2027-02-01T00:00:00.000Z',
    })
    at = new Date('2026-11-20T09:30:00Z')
  })

  test('GET /team shows the AI drafts of this team and month', async () => {
    const ours = await newTeam()
    const theirs = await newTeam()
    await app.sql`
      insert into ai_usage (team_id, period, used) values
        (${ours.team.id}, '2026-10-01', 70), (${ours.team.id}, '2026-11-01', 8), (${theirs.team.id}, '2026-11-01', 9)`
    expect((await ours.read()).usage.ai_generations).toEqual({
      used: 8,
      limit: 100,
      unlimited: false,
    })
  })

  test('GET /team counts the present members', async () => {
    const { team, add, read } = await newTeam()
    await add('ada@acme.test')
    await add('ben@acme.test')
    await removeMember(systemContext({ sql: app.sql, now }, team.id), 'ada@acme.test')
    const { member_count, usage } = await read()
    expect([member_count, usage.team_members]).toEqual([1, unlimited(1)])
  })

  test('GET /team shows the limits that the row of the plan has', async () => {
    const { team, read } = await newTeam()
    await app.sql`insert into plans (key, name, newsletters, content_blocks, ai_generations) values ('small', 'Small', 4, 50, -1)`
    await app.sql`update teams set plan_key = 'small', brand_color = '#112233', newsletter_cadence = 'monthly' where id = ${team.id}`
    expect(await read()).toMatchObject({
      brand_color: '#112233',
      newsletter_cadence: 'monthly',
      plan: { name: 'Small', key: 'small' },
      usage: {
        newsletters: { used: 0, limit: 4, unlimited: false },
        content_blocks: { used: 0, limit: 50, unlimited: false },
        ai_generations: unlimited(0),
      },
    })
  })

  test('AI_DRAFTS_PER_MONTH takes precedence over the plan, 0 included', async () => {
    expect(loadConfig({}).aiDraftsPerMonth).toBeNull()
    expect(() => loadConfig({ AI_DRAFTS_PER_MONTH: '-1' })).toThrow('AI_DRAFTS_PER_MONTH')
    const { aiDraftsPerMonth } = loadConfig({ AI_DRAFTS_PER_MONTH: '0' })
    const other = await startApp({ now, aiDraftsPerMonth })
    try {
      const call = client(other.base, await other.key(await other.team(), ['read']))
      const { usage } = (await call('GET', '/team')).json.team
      expect(usage.ai_generations).toEqual({ used: 0, limit: 0, unlimited: false })
    } finally {
      await other.close()
    }
  })

  test('GET /team needs the scope read', async () => {
    const call = client(app.base, await app.key(await app.team(), ['write', 'send_preview']))
    const { status, json } = await call('GET', '/team')
    expect([status, json.required_scope]).toEqual([403, 'read'])
  })

  test('PATCH /team refuses fields that it does not have, such as the plan or a misspelled name', async () => {
    const { call, read } = await newTeam()
    const before = await read()
    const { status, json } = await call('PATCH', '/team', { plan: { key: 'small' }, languge: 'de' })
    expect(status).toBe(422)
    expect(json.fields.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/plan',
      '/languge',
    ])
    expect(await read()).toEqual(before)
  })
})

describe('Members', () => {
  test('an email address is stored in lower case and belongs to one member of a team', async () => {
    const { team, add } = await newTeam()
    const ada = await add('Ada@Acme.Test', 'Ada', 'admin')
    expect(ada).toMatchObject({
      id: expect.stringMatching(/^mb_/),
      email: 'ada@acme.test',
      role: 'admin',
    })
    await expect(add('ADA@acme.test')).rejects.toMatchObject({
      code: 'validation_failed',
      message: 'ada@acme.test is a member already',
    })
    await (await newTeam()).add('ada@acme.test')
    expect((await listMembers(readContext(app, team))).map(({ id }) => id)).toEqual([ada.id])
  })

  test('a removed member is not found, and has the same id when added again', async () => {
    const { team, add } = await newTeam()
    const ada = await add('ada@acme.test')
    await removeMember(systemContext({ sql: app.sql, now }, team.id), ada.id)
    expect(await listMembers(readContext(app, team))).toEqual([])
    expect(await findMembersByEmail(readContext(app, team), ['ada@acme.test'])).toEqual([])
    await expect(
      removeMember(systemContext({ sql: app.sql, now }, team.id), ada.id),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
    const back = await add('ada@acme.test', 'Ada B.', 'viewer')
    expect([back.id, back.name, back.role]).toEqual([ada.id, 'Ada B.', 'viewer'])
  })

  test('members are found by email address within their team alone', async () => {
    const ours = await newTeam()
    const theirs = await newTeam()
    await ours.add('ada@acme.test')
    await theirs.add('ben@acme.test')
    const found = await findMembersByEmail(readContext(app, ours.team), [
      'ADA@acme.test',
      'ben@acme.test',
      'x@acme.test',
    ])
    expect(found.map(({ email }) => email)).toEqual(['ada@acme.test'])
    await expect(
      removeMember(systemContext({ sql: app.sql, now }, ours.team.id), 'ben@acme.test'),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test.each(['a@x', "o'brien+news@mail.acme.test"])('%p is an email address', (email) => {
    expect(v.parse(NewMember, { email, name: 'A' }).role).toBe('editor')
  })

  test.each([
    'ada',
    'ada@',
    'Ada <ada@acme.test>',
    'ada@acme.test, ben@acme.test',
    'g:ada@acme.test;',
    'ada@acme.test\r\nRCPT TO:<ben@acme.test>',
    'ada@acme..test',
    // Its lower case in Unicode is an ASCII k, so that it would be the address of somebody else.
    '\u212Aim@acme.test',
    `${'a'.repeat(250)}@acme.test`,
  ])('%p is not one email address', (email) => {
    expect(v.safeParse(NewMember, { email, name: 'A' }).issues?.[0]?.path?.[0]?.key).toBe('email')
  })
})
