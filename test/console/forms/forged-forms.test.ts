import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { adapter as github } from '../../../integrations/github/adapter.ts'
import { can } from '../../../src/console/roles.ts'
import { memberRoles } from '../../../src/contract/vocabulary.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import {
  type Examples,
  examplesFor,
  pathOf,
  type Route,
  routes,
} from '../../support/browser/console-walk.ts'
import { type Person, person, signedIn } from '../../support/console.ts'
import {
  cookieOf,
  type Forgery,
  fieldNames,
  forgedFormats,
  forgedOrigins,
  forgedReads,
  forgedTokens,
  sendForgery,
} from '../../support/hostile/forged-forms.ts'
import { sample } from '../../support/properties.ts'

/** Something that only the pages of our team may show. */
const canary = 'Wanted'

let app: TestApp
let team: Team
let globex: Team
let people: Record<(typeof memberRoles)[number], Person>
/** An admin of another team. */
let stranger: Person
let examples: Examples
let strangersExamples: Examples
let token: string
let tokens: Record<string, string>
let roleTokens: Record<(typeof memberRoles)[number], string>

beforeAll(async () => {
  app = await startApp({ adapters: [github], forward: false })
  team = await app.team('acme')
  people = {
    admin: await signedIn(app, team, 'admin'),
    editor: await signedIn(app, team, 'editor'),
    viewer: await signedIn(app, team, 'viewer'),
  }
  globex = await app.team('globex')
  stranger = await signedIn(app, globex, 'admin')
  examples = await examplesFor(app, team, canary)
  roleTokens = {
    admin: await tokenOf(people.admin),
    editor: await tokenOf(people.editor),
    viewer: await tokenOf(people.viewer),
  }
  token = roleTokens.admin
  tokens = {
    'the token of a colleague': roleTokens.editor,
    'the token of another team': await tokenOf(stranger),
    'the token of a visitor': (await visitorToken()) ?? '',
  }
})
afterAll(() => app.close())

async function tokenOf(who: Person): Promise<string> {
  return csrfIn((await who.get('/account')).html) ?? ''
}

const csrfIn = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1]
const visitorToken = async () => csrfIn((await person(app.base).get('/login')).html)

const posts = routes.filter(({ method }) => method === 'POST')
const memberPosts = posts.filter(({ role }) => role !== null)
const publicPosts = posts.filter(({ role }) => role === null)
let sent = 0
/** Fields with which a form is read, so that the refusal is not about them. */
const valid = 'role=admin&to=ready&grace=0&version=1&current=2'

/**
 * Everything that forms change: all rows except what a page changes that is only read, such as the
 * challenge for a passkey and counters of requests.
 */
async function contentOf(teamId?: string): Promise<string> {
  const tables = await app.sql<{ name: string; has_team: boolean }[]>`
    select table_name as name, bool_or(column_name = 'team_id') as has_team
    from information_schema.columns
    where table_schema = 'public' and table_name not in ('sessions', 'rate_limits', 'account_tokens')
    group by 1 order by 1`
  const chosen = tables.filter(({ has_team }) => has_team || teamId === undefined)
  const rows = chosen.map(async ({ name }) => {
    const [row] = await app.sql`
      select md5(string_agg(t::text, ',' order by t::text)) as content from ${app.sql(name)} t
      ${teamId === undefined ? app.sql`` : app.sql`where team_id = ${teamId}`}`
    return `${name} ${row?.['content']}`
  })
  return (await Promise.all(rows)).join('\n')
}

/** Sends forgeries of a route at the same time; each must be refused and show nothing of the team. */
async function refuse(path: string, forgeries: readonly Forgery[], cookie: string): Promise<void> {
  const replies = await Promise.all(
    forgeries.map(async (forgery) => ({
      forgery,
      ...(await sendForgery(app.base + path, forgery, cookie)),
    })),
  )
  sent += replies.length
  for (const { forgery, status, html } of replies) {
    const isRefused = forgery.statuses.includes(status)
    if (!isRefused) throw new Error(`${forgery.name}: ${status}, not ${forgery.statuses}`)
    if (status >= 400) expect(html).not.toContain(canary)
  }
}

describe('forged forms', () => {
  let before: string
  beforeAll(async () => {
    before = await contentOf()
  })

  test.each(memberPosts.map((route, turn) => [route.path, route, turn] as const))(
    'a forged form is refused by %s: without a session, from another site, without the token, as another format',
    async (_, route, turn) => {
      const path = pathOf(route, examples)
      const own = cookieOf(people.admin)
      const whole = { body: `csrf=${token}&${valid}` }
      await refuse(path, [{ name: 'no session', ...whole, statuses: [401] }], '')
      const invented = own.replaceAll(/=[^;]+/g, `=${'x'.repeat(64)}`)
      await refuse(path, [{ name: 'an invented session', ...whole, statuses: [401] }], invented)
      const forgeries = [
        ...forgedOrigins(app.base).map((one) => ({ ...whole, ...one })),
        ...forgedTokens(token, tokens),
        ...forgedFormats(token),
        ...forgedReads(token),
      ]
      await refuse(path, sample(forgeries, 4, turn), own)
      await refuseRoles(path, route)
    },
  )

  async function refuseRoles(path: string, route: Route): Promise<void> {
    for (const role of memberRoles.filter((one) => !(route.role && can(one, route.role)))) {
      const body = `csrf=${roleTokens[role]}`
      const lower = { name: `the role ${role}`, body, statuses: [403] }
      await refuse(path, [lower], cookieOf(people[role]))
    }
    if (!route.path.includes(':id')) return
    const body = `csrf=${tokens['the token of another team']}&${valid}`
    const foreign = { name: 'another team', body, statuses: [404] }
    await refuse(path, [foreign], cookieOf(stranger))
  }

  test.each(publicPosts.map(({ path }) => [path]))(
    'a forged form is refused by %s, where no session is needed',
    async (path) => {
      const url = path.replaceAll(/:\w+/g, 'x')
      const formats = forgedFormats('x').map((one) => ({
        ...one,
        // A page that has no session may answer that it does not exist before it reads the form.
        statuses: [...one.statuses, 404],
      }))
      await refuse(url, [...forgedOrigins(app.base), ...formats, ...forgedReads('x')], '')
    },
  )

  test('no row of any table has changed after more than 553 forged forms', async () => {
    expect(await contentOf()).toBe(before)
    expect(sent).toBeGreaterThan(553)
  })
})

describe('forms of another team', () => {
  const ends = ['/logout', '/account/sign-out-everywhere', '/account/password']
  const own = memberPosts.filter(({ path }) => !ends.includes(path))
  let before: string
  beforeAll(async () => {
    strangersExamples = await examplesFor(app, globex, 'Theirs')
    before = await contentOf(team.id)
  })

  /** The fields of a form, each with a value. */
  const fields = (route: Route, value: string) =>
    new URLSearchParams(fieldNames(route).map((name): [string, string] => [name, value])).toString()

  test.each(own.map((route, turn) => [route.path, route, turn] as const))(
    'a form of another team reads and changes nothing of ours by %s, whatever ids its fields contain',
    async (_, route, turn) => {
      const path = pathOf(route, strangersExamples)
      const csrf = tokens['the token of another team']
      const ids = [...new Set([...Object.values(examples), team.id, team.slug])]
      for (const id of sample(ids, 4, turn)) {
        const body = `${fields(route, id)}&csrf=${csrf}`
        const forgery = { name: id, body, statuses: [] }
        const { status, html } = await sendForgery(app.base + path, forgery, cookieOf(stranger))
        // 503: no AI provider is set up.
        expect(status === 503 || status < 500).toBe(true)
        expect(html).not.toContain(canary)
        sent++
      }
    },
  )

  test('a form of another team leaves every row of our team as it is', async () => {
    expect(await contentOf(team.id)).toBe(before)
  })
})

describe('unusual fields', () => {
  const values: Record<string, (names: readonly string[]) => string> = {
    'each field twice': (names) => names.map((name) => `${name}=a&${name}=b`).join('&'),
    'each field as a list': (names) => names.map((name) => `${name}[]=a&${name}[]=b`).join('&'),
    'empty fields': (names) => names.map((name) => `${name}=`).join('&'),
    'bytes that are not UTF-8': (names) => names.map((name) => `${name}=%ff%ed%a0%80`).join('&'),
    'numbers that are too large': (names) => names.map((name) => `${name}=1e999`).join('&'),
    'a negative number': (names) => names.map((name) => `${name}=-1`).join('&'),
    'a long text': (names) => names.map((name) => `${name}=${'y'.repeat(5_000)}`).join('&'),
    'names of every object': () => '__proto__=a&constructor=b&toString=c&hasOwnProperty[]=d',
    'many fields': () => Array.from({ length: 5_000 }, (_, n) => `f${n}=`).join('&'),
    'a broken percent-encoding': (names) => names.map((name) => `${name}=%zz%`).join('&'),
  }

  let account: Person | undefined

  test.each(posts.map((route, turn) => [route.path, route, turn] as const))(
    'a form with unusual fields gets no 500 from %s',
    async (_, route, turn) => {
      let csrf = account ? await tokenOf(account) : ''
      if (!account || csrf === '') {
        // Some routes end the session.
        account = await signedIn(app, await app.team(), 'admin')
        csrf = await tokenOf(account)
      }
      const path =
        route.role === null ? route.path.replaceAll(/:\w+/g, 'x') : pathOf(route, examples)
      for (const [name, bodyOf] of sample(Object.entries(values), 3, turn)) {
        const body = `${bodyOf(fieldNames(route))}&csrf=${csrf}`
        const forgery = { name, body, statuses: [] }
        const { status } = await sendForgery(app.base + path, forgery, cookieOf(account))
        if (status >= 500) throw new Error(`${name}: ${status}`)
      }
    },
  )
})
