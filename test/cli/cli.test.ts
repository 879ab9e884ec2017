import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { client, type TestApp } from '../support/app.ts'
import { logIn, person } from '../support/console.ts'
import { type Installation, install, WithUrl } from '../support/processes/cli.ts'
import { createDataDir, systemEnvironment } from '../support/processes/process.ts'

let at: Installation
let app: TestApp
let tidings: Installation['tidings']
beforeAll(async () => {
  at = await install()
  ;({ app, tidings } = at)
})
afterAll(() => at.remove())

/** Runs the program as a shell does, with a data folder of its own. */
async function runProgram(dataDir: string, ...args: string[]) {
  const program = Bun.spawn(
    ['bun', fileURLToPath(new URL('../../src/cli.ts', import.meta.url)), ...args],
    {
      env: { ...systemEnvironment, DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const [out, err] = await Promise.all([program.stdout.text(), program.stderr.text()])
  return { code: await program.exited, out, err }
}

test('the program migrates its embedded database once, and prints errors to standard error', async () => {
  const folder = await createDataDir()
  const first = await runProgram(folder.path, 'migrate')
  expect(first.out).toStartWith('Applied 0001_foundation.sql, ')
  expect(first).toMatchObject({ code: 0, err: '' })
  const second = await runProgram(folder.path, 'migrate')
  expect(second).toEqual({ code: 0, out: 'The database is up to date.\n', err: '' })
  const third = await runProgram(folder.path, 'key', 'list', '--team', 'nobody')
  expect(third).toMatchObject({ code: 1, out: '' })
  expect(third.err).toStartWith('error: ')
  await folder.remove()
})

test('commands create a team, a member and a key that works until it is revoked', async () => {
  expect((await tidings('team', 'create', '--slug', 'acme', '--name', 'Acme')).code).toBe(0)
  const team = ['--team', 'acme']
  await tidings('member', 'add', ...team, '--email', 'Ada@acme.test', '--name', 'Ada')
  const members = await tidings('member', 'list', ...team, '--json')
  expect(members.json).toMatchObject([{ email: 'ada@acme.test', name: 'Ada', role: 'editor' }])

  const made = await tidings('key', 'create', ...team, '--name', 'ci', '--scopes', 'read,write')
  const key = made.out.trimEnd()
  expect(key).toMatch(/^tidings_[0-9A-Za-z]{38}$/)
  const call = client(app.base, key)
  expect((await call('GET', '/content_blocks')).status).toBe(200)
  await tidings('key', 'create', ...team, '--name', 'second', '--scopes', 'read')
  const keys = await tidings('key', 'list', ...team)
  expect(keys.out).toContain('ci')
  expect(keys.out).not.toContain(key)

  expect((await tidings('key', 'revoke', ...team, '--key', key.slice(0, 14))).code).toBe(0)
  expect((await call('GET', '/content_blocks')).status).toBe(401)
})

test('member link prints a link to join, and for a member who has joined a link to a new password', async () => {
  const team = ['--team', 'harbour']
  await tidings('team', 'create', '--slug', 'harbour', '--name', 'Harbour')
  const about = ['--email', 'mira@harbour.test']
  await tidings('member', 'add', ...team, ...about, '--name', 'Mira', '--role', 'admin')
  const pathOf = async () => {
    const printed = await tidings('member', 'link', ...team, ...about, '--json')
    return new URL(printed.as(WithUrl).url).pathname
  }
  const mira = person(app.base)
  const join = await pathOf()
  await mira.get(join)
  expect((await mira.post(join, { name: 'Mira', password: 'a long way home' })).status).toBe(303)
  const reset = await pathOf()
  expect(reset).toStartWith('/reset/')
  const elsewhere = person(app.base)
  await elsewhere.get(reset)
  expect((await elsewhere.post(reset, { password: 'another way home' })).status).toBe(303)
  expect(await logIn(elsewhere, 'mira@harbour.test', 'another way home')).toMatchObject({
    status: 303,
  })
  // Whoever had the old password is out.
  expect((await mira.get('/library')).location).toStartWith('/login')
  expect((await tidings('member', 'link', ...team, '--email', 'nobody@x.test')).code).toBe(1)
})

test('a member who was removed with the command and is added again needs a new invitation', async () => {
  const team = ['--team', 'lighthouse']
  await tidings('team', 'create', '--slug', 'lighthouse', '--name', 'Lighthouse')
  const about = ['--email', 'noor@lighthouse.test']
  const add = () => tidings('member', 'add', ...team, ...about, '--name', 'Noor')
  await add()
  const printed = await tidings('member', 'link', ...team, ...about, '--json')
  const { pathname } = new URL(printed.as(WithUrl).url)
  expect((await person(app.base).get(pathname)).status).toBe(200)
  await tidings('member', 'remove', ...team, ...about)
  await add()
  expect((await person(app.base).get(pathname)).status).toBe(404)
})

test.each([
  [['team', 'create', '--name', 'No slug'], '--slug is required'],
  [['team', 'create'], '--slug and --name are required'],
  [['team', 'create', '--slug', 'Not A Slug', '--name', 'X'], 'slug'],
  [['key', 'list', '--team', 'nobody'], 'nobody'],
  [['key', 'create', '--scpoes', 'read'], "unknown option '--scpoes'\n(Did you mean --scopes?)"],
  [['team', 'list', 'twice'], 'Expected 0 arguments but got 1: twice'],
  [
    ['key', 'create', '--team', 'acme', '--name', 'x', '--scopes', 'read', '--expires', 'soon'],
    'expires must be a date',
  ],
  [['member', 'add', '--role', 'boss'], 'Allowed choices are admin, editor, viewer'],
])('the command %p prints its error to standard error only', async (args, words) => {
  const { code, out, err } = await tidings(...args)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(words)
  expect(err).not.toMatch(/\n\s+at /)
})

test.each([
  [['teams', 'make'], "unknown command 'teams'\n(Did you mean team?)"],
  [['team', 'creat'], "unknown command 'creat'\n(Did you mean create?)"],
  [['team'], 'Usage: tidings team'],
])(
  'the unknown command %p ends with exit code 2 and names the nearest command',
  async (args, words) => {
    const { code, out, err } = await tidings(...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(words)
  },
)

test('the demo creates a team with blocks to review, a newsletter that was sent and a link to join', async () => {
  const { url } = (await tidings('demo', '--json')).as(WithUrl)
  const made = await tidings(
    ...['key', 'create', '--team', 'demo', '--name', 'reader', '--scopes', 'read'],
  )
  const call = client(app.base, made.out.trimEnd())
  const drafts = await call('GET', '/content_blocks?status=draft')
  expect(drafts.json.content_blocks.length).toBeGreaterThan(4)
  const origins = drafts.json.content_blocks.map(
    ({ origin }: { origin: { provider: string } }) => origin.provider,
  )
  expect(new Set(origins)).toEqual(new Set(['slack', 'github', 'bamboohr']))
  const sent = await call('GET', '/newsletters?status=sent')
  expect(sent.json.newsletters).toMatchObject([{ blocks_count: 3 }])

  const invitation = await person(app.base).get(new URL(url).pathname)
  expect(invitation.status).toBe(200)
  expect(invitation.html).toContain('Lantern &amp; Co')

  const again = await tidings('demo')
  expect({ code: again.code, out: again.out }).toEqual({ code: 1, out: '' })
  expect(again.err).toContain('slug "demo" belongs to another team already')
})

test('another secret prevents every command with what to do, until it is accepted', async () => {
  const other = { TIDINGS_SECRET: 'another secret than the one of this installation' }
  const refused = await at.tidingsWith(other, 'team', 'list')
  expect({ code: refused.code, out: refused.out }).toEqual({ code: 1, out: '' })
  expect(refused.err).toContain('TIDINGS_SECRET is not the one that this database was used with')
  expect(refused.err).toContain('tidings secret replace')

  const missing = await at.tidingsWith({ TIDINGS_SECRET: '' }, 'team', 'list')
  expect({ code: missing.code, out: missing.out }).toEqual({ code: 1, out: '' })
  expect(missing.err).toContain('The secret of this installation is missing: there is no file')

  expect((await at.tidingsWith(other, 'secret', 'replace')).code).toBe(0)
  expect((await at.tidingsWith(other, 'team', 'list')).code).toBe(0)
  expect((await tidings('team', 'list')).code).toBe(1)
  expect((await tidings('secret', 'replace')).code).toBe(0)
})
