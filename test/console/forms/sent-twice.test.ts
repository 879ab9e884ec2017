import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import { adapter as github } from '../../../integrations/github/adapter.ts'
import { adapter as slack } from '../../../integrations/slack/adapter.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import {
  type Examples,
  examplesFor,
  isFile,
  pathOf,
  routes,
} from '../../support/browser/console-walk.ts'
import { type FormField, formsIn, type PageForm } from '../../support/browser/page-forms.ts'
import { type Person, type Seen, signedIn } from '../../support/console.ts'

let app: TestApp
let admin: Person
let examples: Examples
let pages: string[]
beforeAll(async () => {
  app = await startApp({ adapters: [github, slack], forward: false, createTeams: 'everybody' })
  const team = await app.team()
  admin = await signedIn(app, team, 'admin')
  examples = await examplesFor(app, team, 'Harbour')
  pages = routes
    .filter((one) => one.method === 'GET' && one.role !== null && !isFile(one))
    .map((one) => pathOf(one, examples))
})
afterAll(() => app.close())

/** What is typed into a field that has no valid value yet. */
const typedValues: Record<string, string> = {
  email: 'nia@people.test',
  event_date: '2027-05-01',
  source: 'harbour/lights',
  share_url: '',
  address: 'https://tidings.test/hooks/github/none',
  secret: 'a secret of the provider',
  image_alt: '',
  repositories: '',
  events: '',
  event_slug: '',
  slug: '',
  note: '',
  title: 'A lighthouse opens',
  text: 'A lighthouse',
}

const typedValue = ({ name, type, value }: FormField) =>
  value ||
  typedValues[name] ||
  (['text', 'textarea'].includes(type) ? (typedValues[name] ?? 'A lighthouse') : '')

/** The fields that a browser sends when the first button of the form is pressed. */
function submissionOf({ fields }: PageForm): Record<string, string | string[]> {
  const sent: Record<string, string | string[]> = {}
  const buttons = fields.filter(({ type }) => type === 'submit')
  const button = buttons.find(({ name }) => name === '') ?? buttons[0]
  for (const field of fields) {
    if (field.name === '' || field.type === 'file' || (field.type === 'submit' && field !== button))
      continue
    const list = sent[field.name]
    if (field.name.endsWith('[]')) sent[field.name] = [...(list ?? []), typedValue(field)]
    else sent[field.name] = typedValue(field)
  }
  return sent
}

/** The number of rows of each table, without sessions and the limits of requests. */
async function countRows(): Promise<Record<string, number>> {
  const tables = await app.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('sessions', 'rate_limits')`
  const counts = tables.map(
    ({ name }) => app.sql`
    select ${name} as name, count(*)::integer as count from ${app.sql(name)}`,
  )
  const rows = await Promise.all(counts)
  return Object.fromEntries(rows.map(([row]) => [row?.['name'], row?.['count']]))
}

// Passwords and second factors are typed again, and a session that has ended accepts nothing.
const exceptions = /^\/(?:logout|account\/(?:password|second-factor|passkeys|sign-out))/

const isDestructive = ({ action }: PageForm) =>
  /\/(?:delete|remove|revoke)$|^\/teams\/new/.test(action)

interface FormOnPage {
  path: string
  form: PageForm
}

/** Each form of the console once, with a page that has it. What deletes or changes the team comes last. */
async function formsOfAllPages(): Promise<FormOnPage[]> {
  const forms = new Map<string, FormOnPage>()
  for (const path of pages) {
    const { html, status } = await admin.get(path)
    for (const form of status === 200 ? formsIn(html) : []) {
      if (!forms.has(form.action)) forms.set(form.action, { path, form })
    }
  }
  const all = [...forms.values()].filter(({ form }) => !exceptions.test(form.action))
  const [last, first] = [true, false].map((isLast) =>
    all.filter(({ form }) => isDestructive(form) === isLast),
  )
  return [...(first ?? []), ...(last ?? []).toReversed()]
}

/** The page to which a form leads, and its message. */
const resultOf = ({ status, location, headers }: Seen) => ({
  status,
  location,
  flash: flashIn(headers),
})

const flashIn = (headers: Headers) => {
  const cookie = /flash=([\w-]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''
  return Buffer.from(cookie, 'base64url').toString()
}

/** The form of a page with its present values; null after an earlier form has deleted it. */
async function currentForm({ path, form }: FormOnPage): Promise<PageForm | null> {
  const { html } = await admin.get(path)
  return formsIn(html).find(({ action }) => action === form.action) ?? null
}

/** Sends a form twice; returns what the second request did, unless it did nothing. */
async function sendTwice({ action, ...form }: PageForm) {
  const fields = submissionOf({ action, ...form })
  const first = resultOf(await admin.post(action, fields))
  const before = await countRows()
  const second = resultOf(await admin.post(action, fields))
  const after = await countRows()
  // A value that is set again is in the audit log again.
  const grown = Object.keys(after).filter(
    (name) => name !== 'audit_log' && after[name] !== before[name],
  )
  const isSame = Bun.deepEquals(first, second)
  return {
    status: first.status,
    fault: isSame && grown.length === 0 ? null : { action, first, second, grown },
  }
}

test('every form of the console that is sent twice changes something once, and leads to the same page', async () => {
  const faults = []
  let accepted = 0
  for (const one of await formsOfAllPages()) {
    const form = await currentForm(one)
    const result = form && (await sendTwice(form))
    if (result?.status === 303) accepted++
    if (result?.fault) faults.push(result.fault)
  }
  expect(faults).toEqual([])
  expect(accepted).toBeGreaterThan(45)
}, 120_000)

/** A form that an editor has opened, with values. */
async function openForm(path: string, values: Record<string, string>) {
  const editor = await signedIn(app, await app.team(), 'editor')
  const form = formsIn((await editor.get(path)).html).find(({ fields }) =>
    Object.keys(values).every((name) => fields.some((field) => field.name === name)),
  )
  if (!form) throw new Error(`${path} has no such form.`)
  const fields: Record<string, string | string[]> = { ...submissionOf(form), ...values }
  const send = (changes: Record<string, string> = {}, headers = {}) =>
    editor.post(form.action, { ...fields, ...changes }, headers)
  return { send, editor, fields }
}

const win = { title: 'The crane arrived', body: 'After two years.' }

test('two clicks at the same moment create one block, and both lead to it', async () => {
  const { send, editor } = await openForm('/library/new', win)
  const sent = await Promise.all([send(), send(), send()])
  expect(new Set(sent.map(({ location }) => location)).size).toBe(1)
  expect(
    (await editor.get('/library?status=draft')).html.match(/The crane arrived/g),
  ).not.toBeNull()
  const [row] =
    await app.sql`select count(*)::integer as count from content_blocks where title = ${win.title}`
  expect(row?.['count']).toBe(1)
})

test('a form that is sent again with other text, after going back, is another form', async () => {
  const { send } = await openForm('/library/new', win)
  const first = await send()
  const second = await send({ title: 'The second crane arrived' })
  expect(second.location).toMatch(/^\/library\/cb_/)
  expect(second.location).not.toBe(first.location)
})

test('a form that is sent again with another image is another form, and with the same image it is the same one', async () => {
  const { editor, fields } = await openForm('/library/new', win)
  const send = async (background: string) => {
    const image = sharp({ create: { width: 8, height: 8, channels: 3, background } })
    const file = new File([new Uint8Array(await image.png().toBuffer())], 'crane.png')
    return (await editor.post('/library/new', { ...fields, image: file, image_alt: 'A crane' }))
      .location
  }
  const [red, blue] = [await send('#ff0000'), await send('#0000ff')]
  expect(red).toMatch(/^\/library\/cb_/)
  expect(blue).toMatch(/^\/library\/cb_/)
  expect(blue).not.toBe(red)
  expect(await send('#ff0000')).toBe(red)
})

test('a form with an error is not remembered: it is accepted once its values are valid', async () => {
  const { send } = await openForm('/library/new', win)
  expect((await send({ title: '' })).status).toBe(422)
  expect((await send()).status).toBe(303)
})

test('a script that sends a form again after a lost response gets the page of the first one', async () => {
  const { send } = await openForm('/library/new', win)
  const lost = await send({}, { 'hx-request': 'true' })
  const repeated = await send({}, { 'hx-request': 'true' })
  expect(repeated.headers.get('hx-redirect')).toMatch(/^\/library\/cb_/)
  expect(repeated.headers.get('hx-redirect')).toBe(lost.headers.get('hx-redirect'))
})

test('a new key is shown also when the form that created it was sent twice', async () => {
  const fields = submissionOf(
    formsIn((await admin.get('/settings/keys/new')).html).find(
      ({ action }) => action === '/settings/keys',
    ) ?? { action: '', fields: [], isStored: false },
  )
  await admin.post('/settings/keys', fields)
  admin.cookies.delete('tidings_once')
  const { location } = await admin.post('/settings/keys', fields)
  expect((await admin.get(location ?? '')).html).toContain('This is the only time')
})
