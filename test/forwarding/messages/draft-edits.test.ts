import { expect, test } from 'bun:test'
import { adapter } from '../../../integrations/slack/adapter.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { planMessages } from '../../../src/forwarding/index.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { member } from '../../support/console.ts'
import { untilNothingIsSent } from '../../support/jobs.ts'
import { unlimitedClient } from '../../support/newsletters.ts'
import {
  buttonOf,
  type ConnectedTeam,
  connectTeam,
  startWorkspace,
  textOf,
} from '../../support/slack/slack-workspace.ts'
import { until } from '../../support/until.ts'

const workspace = startWorkspace({
  U0MIRA: { name: 'Mira Solano' },
  U0ADA: { name: 'Ada Reyes' },
  U0BEN: { name: 'Ben Okoro' },
})
const app = await startChatApp({ adapters: [adapter] }, [workspace])

const channel = 'C0EDITORS'
const blockOf = async ({ id }: Team) => {
  const [block] = await app.sql<{ id: string; title: string; body: string; version: number }[]>`
    select id, title, body, version from content_blocks where team_id = ${id}`
  return block
}

/** A draft of Mira's in the channel of the editors Ada and Ben. */
async function posted(text: string) {
  const connected = await connectTeam(app, workspace, { review_channel: channel })
  for (const id of ['U0ADA', 'U0BEN']) {
    const { email } = await member(app, connected.team, 'editor')
    workspace.people[id] = { name: id, email }
  }
  await connected.command('U0MIRA', '/win', text)
  await until(async () => (await blockOf(connected.team)) !== undefined)
  await planMessages(app.forwarder)
  await until(async () => workspace.in(channel).length === 1)
  const [message] = workspace.in(channel)
  if (!message) throw new Error('there is no message')
  return { ...connected, message }
}

/** The form of the draft that a person opens with the button of the message. */
async function open({ press, message }: Awaited<ReturnType<typeof posted>>, user: string) {
  const before = workspace.opened.length
  await press(user, buttonOf(message, 'edit_in_form'), message)
  await until(async () => workspace.opened.length > before)
  return JSON.parse(workspace.opened.at(-1)?.['view'] ?? '{}')
}

const initialOf = (
  view: { blocks: { block_id?: string; element?: { initial_value?: string } }[] },
  name: string,
) => view.blocks.find(({ block_id }) => block_id === name)?.element?.initial_value

const settled = ({ team }: ConnectedTeam, count: number) =>
  until(async () => {
    const rows = await app.sql`
      select id from deliveries where team_id = ${team.id} and delivery_id like 'view:%' and status <> 'waiting'`
    return rows.length === count
  })

test('an editor changes a draft in a form of Slack, with its formatting, and the message shows the change', async () => {
  const draft = await posted('Search is *done*\nIt finds <https://acme.test/x|everything> & more.')
  const view = await open(draft, 'U0ADA')
  expect(initialOf(view, 'title')).toBe('Search is done')
  expect(initialOf(view, 'body')).toBe('It finds [everything](https://acme.test/x) & more.')
  await draft.submitForm('U0ADA', view, {
    title: 'Search is here',
    body: 'It finds *everything*:\n• people\n• pages <script>alert(1)</script>',
  })
  await until(async () => textOf(draft.message).includes('Search is here'))
  const block = await blockOf(draft.team)
  expect(block?.title).toBe('Search is here')
  expect(block?.body).toContain('<strong>everything</strong>')
  expect(block?.body).toContain('<li>people</li>')
  expect(block?.body).not.toContain('<script>')
  const [entry] = await app.sql`
    select actor from audit_log where team_id = ${draft.team.id} and action = 'block_updated'`
  expect(entry).toBeDefined()
  expect(workspace.faults).toEqual([])
})

test('a text that is not changed keeps every character of its HTML', async () => {
  const draft = await posted(
    'Search is done\nIt finds *all* of "it" & _more_.\n\n> quoted\n\n1. one\n2. two\n\n24. December: closed',
  )
  const before = await blockOf(draft.team)
  expect(before?.body).toContain('<p>24. December: closed</p>')
  const view = await open(draft, 'U0ADA')
  await draft.submitForm('U0ADA', view, {
    title: 'A new title',
    body: initialOf(view, 'body') ?? '',
  })
  await settled(draft, 1)
  expect(await blockOf(draft.team)).toMatchObject({
    title: 'A new title',
    body: before?.body ?? '',
  })
})

test('when two editors change a draft, the second text is not saved, its author gets it back, and both get a message', async () => {
  const draft = await posted('Search is done\nIt finds everything.')
  const [first, second] = [await open(draft, 'U0ADA'), await open(draft, 'U0BEN')]
  await draft.submitForm('U0ADA', first, { title: 'By Ada', body: 'Text of Ada' })
  await settled(draft, 1)
  await draft.submitForm('U0BEN', second, { title: 'By Ben', body: 'Text of <!channel> Ben' })
  await until(async () => workspace.in('U0ADA').length > 0)
  expect(await blockOf(draft.team)).toMatchObject({ title: 'By Ada', body: '<p>Text of Ada</p>' })
  const [toBen] = workspace.in('U0BEN')
  expect(toBen?.text).toContain('<@U0ADA> changed “By Ada”')
  expect(textOf(toBen)).toContain('By Ben\n\nText of')
  expect(textOf(toBen)).not.toContain('<!channel>')
  expect(workspace.in('U0ADA')[0]?.text).toContain('<@U0BEN> was also writing “By Ada”')
  expect(workspace.faults).toEqual([])
})

test('a draft that was changed or reviewed in Tidings in the meantime is not overwritten', async () => {
  const draft = await posted('Search is done\nIt finds everything.')
  const call = await unlimitedClient(app, draft.team)
  const view = await open(draft, 'U0ADA')
  const { id = '' } = (await blockOf(draft.team)) ?? {}
  await call('PATCH', `/content_blocks/${id}`, { title: 'From the API' })
  await draft.submitForm('U0ADA', view, { title: 'By Ada', body: 'Text of Ada' })
  await until(async () => workspace.in('U0ADA').length === 1)
  expect(workspace.in('U0ADA')[0]?.text).toContain('was changed while you were writing')
  const again = await open(draft, 'U0ADA')
  await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
  await draft.submitForm('U0ADA', again, { title: 'By Ada', body: 'Text of Ada' })
  await until(async () => workspace.in('U0ADA').length === 2)
  expect(workspace.in('U0ADA')[1]?.text).toContain('was reviewed while you were writing')
  expect(await blockOf(draft.team)).toMatchObject({ title: 'From the API' })
})

test('who changes a draft that was declined meanwhile, or is no editor any more, gets their text back', async () => {
  const draft = await posted('Search is done\nIt finds everything.')
  const view = await open(draft, 'U0ADA')
  const form = { title: 'By Ada', body: 'Text of <!channel> Ada' }
  const setRoles = (role: string) =>
    app.sql`update members set role = ${role} where team_id = ${draft.team.id}`
  await setRoles('viewer')
  await draft.submitForm('U0ADA', view, form)
  await settled(draft, 1)
  await setRoles('editor')
  const call = await unlimitedClient(app, draft.team)
  const { id = '' } = (await blockOf(draft.team)) ?? {}
  await call('DELETE', `/content_blocks/${id}`)
  await draft.submitForm('U0ADA', view, form)
  await settled(draft, 2)
  await untilNothingIsSent(app)
  const toAda = workspace.in('U0ADA')
  expect(toAda.map(({ text }) => text)).toEqual([
    expect.stringContaining('can make you one.\nThis is what you wrote:'),
    expect.stringContaining('does not exist any more, so nothing was changed.\nThis is what'),
  ])
  for (const message of toAda) {
    expect(textOf(message)).toContain('By Ada\n\nText of')
    expect(textOf(message)).not.toContain('<!channel>')
  }
  const said = [...workspace.answers, ...toAda].filter(({ text }) => text?.includes('can make you'))
  expect(said).toHaveLength(1)
  expect(workspace.faults).toEqual([])
})

test('a text that a form cannot show keeps its table, and its title can be changed', async () => {
  const draft = await posted('Search is done\nIt finds everything.')
  const call = await unlimitedClient(app, draft.team)
  const { id = '' } = (await blockOf(draft.team)) ?? {}
  const body = '<p>Numbers</p><table><tbody><tr><td>1</td></tr></tbody></table>'
  const table = (await call('PATCH', `/content_blocks/${id}`, { body })).json.content_block.body
  const view = await open(draft, 'U0ADA')
  expect(initialOf(view, 'body')).toBeUndefined()
  expect(JSON.stringify(view)).toContain('only the title can be changed here')
  await draft.submitForm('U0ADA', view, { title: 'Numbers of May' })
  await settled(draft, 1)
  expect(await blockOf(draft.team)).toMatchObject({ title: 'Numbers of May', body: table })
})

test('people who are not editors get no form, also when they send one that somebody else has opened', async () => {
  const draft = await posted('Search is done\nIt finds everything.')
  const view = await open(draft, 'U0ADA')
  workspace.opened.length = 0
  await draft.press('U0MIRA', buttonOf(draft.message, 'edit_in_form'), draft.message)
  await until(async () => workspace.answers.some(({ text }) => text?.includes('Link your account')))
  expect(workspace.opened).toHaveLength(0)
  await draft.submitForm('U0MIRA', view, { title: 'By Mira', body: 'x' })
  await settled(draft, 1)
  expect(await blockOf(draft.team)).toMatchObject({ title: 'Search is done' })
})
