import { expect, test } from 'bun:test'
import { adapter } from '../../../integrations/slack/adapter.ts'
import { unlinkIdentities } from '../../../src/features/sessions/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { connect, transaction } from '../../../src/lib/database/db.ts'
import type { OutgoingMail } from '../../../src/lib/mail/mail.ts'
import { startApp } from '../../support/app.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { blocksOf } from '../../support/chats/chat-rows.ts'
import { type Person, signedIn } from '../../support/console.ts'
import { withoutTimeLimits } from '../../support/database/database.ts'
import { countLockWaits } from '../../support/database/lock-waits.ts'
import {
  type ConnectedTeam,
  connectTeam,
  startWorkspace,
} from '../../support/slack/slack-workspace.ts'
import { until } from '../../support/until.ts'

const workspace = startWorkspace({
  U0MIRA: { name: 'Mira Solano' },
  U0ADA: { name: 'Ada <b>Reyes</b>' },
})
const app = await startChatApp({ adapters: [adapter] }, [workspace])

const pathIn = (text: string) => /\/account\/chat\/[\w-]{20,}/.exec(text)?.[0] ?? 'no link'

/** The link that `/tidings link` shows to a person. */
async function askForLink({ command }: ConnectedTeam, user = 'U0ADA'): Promise<string> {
  const { response_type, text } = JSON.parse(await (await command(user, '/tidings', 'link')).text())
  expect(response_type).toBe('ephemeral')
  return pathIn(text)
}

const linksOf = ({ team }: ConnectedTeam) => app.sql<{ user_id: string; member_id: string }[]>`
  select user_id, member_id from chat_people where team_id = ${team.id} and member_id is not null`

/** Saves a win and approves it in the home of the app; the answer that the person gets. */
async function approve({ command, request, team }: ConnectedTeam, user: string) {
  if ((await blocksOf(app, team)).length === 0) await command('U0MIRA', '/win', 'We shipped search')
  await until(async () => (await blocksOf(app, team)).length === 1)
  const [draft] = await blocksOf(app, team)
  workspace.answers.length = 0
  await request({
    type: 'block_actions',
    api_app_id: 'A0NEWS',
    team: { id: 'T0ACME' },
    user: { id: user, team_id: 'T0ACME' },
    response_url: workspace.responseUrl,
    container: { type: 'view', view_id: 'V1' },
    actions: [
      { action_id: 'approve_draft', value: `${draft?.id}.1`, action_ts: `${crypto.randomUUID()}` },
    ],
  })
  const said = () =>
    workspace.answers
      .map(({ text = '' }) => text)
      .find((text) => !text.includes('Saved for the newsletter: '))
  await until(async () => said() !== undefined)
  return { text: said() ?? '', status: (await blocksOf(app, team))[0]?.status }
}

const isOver = async (person: Person, path: string) => {
  expect((await person.get(path)).status).toBe(404)
  expect((await person.post(path)).status).toBe(404)
}

test('a person whose address is not that of a member gets a link, and after they used it their buttons work', async () => {
  const connected = await connectTeam(app, workspace)
  const editor = await signedIn(app, connected.team, 'editor')
  const { text, status } = await approve(connected, 'U0ADA')
  expect(status).toBe('draft')
  expect(text).toContain('Link your account')
  const path = pathIn(text)
  const { html } = await editor.get(path)
  expect(html).toContain('Ada &lt;b&gt;Reyes&lt;/b&gt; (U0ADA)')
  expect(html).toContain('Continue only if this is your account')
  expect(await linksOf(connected)).toHaveLength(0)
  expect((await editor.post(path)).status).toBe(303)
  expect(await approve(connected, 'U0ADA')).toMatchObject({ status: 'ready' })
  const [entry] = await app.sql`
    select subject from audit_log where team_id = ${connected.team.id} and action = 'chat_account_linked'`
  expect(entry?.['subject']).toContain('U0ADA, slack')
})

test('a person gets an email about each account of a chat that is linked to theirs', async () => {
  const connected = await connectTeam(app, workspace)
  const sent: OutgoingMail[] = []
  const mail = { send: async (one: OutgoingMail) => void sent.push(one) }
  const mailing = await startApp({ on: app, adapters: [adapter], mail })
  try {
    const editor = await signedIn(mailing, connected.team, 'editor')
    const link = pathIn((await approve(connected, 'U0ADA')).text)
    expect((await editor.post(link)).status).toBe(303)
    const { recipient, subject, text, html } = await until(async () => sent[0])
    expect([recipient, subject]).toEqual([
      editor.email,
      'A chat account was linked to your Tidings account',
    ])
    expect(text).toContain('The chat account is Ada <b>Reyes</b> (U0ADA, Slack).')
    expect(html).toContain('Ada &lt;b&gt;Reyes&lt;/b&gt; (U0ADA, Slack)')
    for (const part of [text, html]) {
      expect(part).toContain('from the network address 127.0.0.1')
      expect(part).toContain('remove the passkeys, authenticator apps and chat accounts')
    }
  } finally {
    await mailing.close()
  }
})

test('a link works once, also when two people open it at the same time', async () => {
  const connected = await connectTeam(app, workspace)
  const [first, second] = [
    await signedIn(app, connected.team, 'editor'),
    await signedIn(app, connected.team, 'editor'),
  ]
  const path = await askForLink(connected)
  const replies = await Promise.all([first.post(path), second.post(path)])
  expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 404])
  expect(await linksOf(connected)).toHaveLength(1)
  await isOver(first, path)
  await isOver(second, path)
})

test('a link to an account of a chat ends after fifteen minutes', async () => {
  const connected = await connectTeam(app, workspace)
  const editor = await signedIn(app, connected.team, 'editor')
  const path = await askForLink(connected)
  await app.sql`update one_time_tokens set expires_at = expires_at - interval '15 minutes'`
  await isOver(editor, path)
  expect(await linksOf(connected)).toHaveLength(0)
})

test('members of another team and people without a session cannot use a link', async () => {
  const connected = await connectTeam(app, workspace)
  const path = await askForLink(connected)
  await isOver(await signedIn(app, await app.team(), 'admin'), path)
  const stranger = await fetch(app.base + path, { redirect: 'manual' })
  expect(stranger.status).toBe(303)
  expect(stranger.headers.get('location')).toContain('/login')
  expect(await linksOf(connected)).toHaveLength(0)
  expect((await (await signedIn(app, connected.team, 'viewer')).get(path)).status).toBe(200)
})

test('a link of a connection that was removed does not work', async () => {
  const connected = await connectTeam(app, workspace)
  const admin = await signedIn(app, connected.team, 'admin')
  const path = await askForLink(connected)
  await admin.post(`/integrations/${connected.connectionId}/remove`)
  await isOver(admin, path)
})

test('a linked account has the role of its member, and the member removes the link on the account page', async () => {
  const connected = await connectTeam(app, workspace)
  const viewer = await signedIn(app, connected.team, 'viewer')
  await viewer.post(await askForLink(connected))
  expect((await approve(connected, 'U0ADA')).text).toContain('Only editors of the newsletter')
  expect((await viewer.get('/account')).html).toContain('Slack: U0ADA')
  const unlink = { connection: connected.connectionId, user: 'U0ADA' }
  const other = await signedIn(app, connected.team, 'admin')
  await other.post('/account/chat-accounts/unlink', unlink)
  expect(await linksOf(connected)).toHaveLength(1)
  await viewer.post('/account/chat-accounts/unlink', unlink)
  expect(await linksOf(connected)).toHaveLength(0)
})

test('a linked account does not stay with a member who is removed while it is being linked', async () => {
  const connected = await connectTeam(app, workspace)
  const admin = await signedIn(app, connected.team, 'admin')
  const editor = await signedIn(app, connected.team, 'editor')
  const path = await askForLink(connected)
  await editor.get(path)
  await admin.get('/settings/members')
  const observer = connect(app.database.address, { name: 'observer', max: 2, ...withoutTimeLimits })
  // The link is used up after the check that its person is a member.
  const both = await transaction(
    observer,
    async (tx) => {
      await tx`lock table one_time_tokens in exclusive mode`
      const linking = editor.post(path)
      await until(async () => (await countLockWaits(observer)) > 0)
      let isRemoved = false
      const removing = admin.post(`/settings/members/${editor.id}/remove`).finally(() => {
        isRemoved = true
      })
      await until(async () => isRemoved || (await countLockWaits(observer)) > 1)
      return { linking, removing }
    },
    240_000,
  )
  await Promise.all([both.linking, both.removing])
  await observer.end()
  expect(await linksOf(connected)).toHaveLength(0)
})

test('a linked account does not stay with a member who was removed, or whose address passes to another person', async () => {
  const connected = await connectTeam(app, workspace)
  const { team } = connected
  const admin = await signedIn(app, team, 'admin')
  await admin.post(await askForLink(connected, 'U0MIRA'))
  const editor = await signedIn(app, team, 'editor')
  await editor.post(await askForLink(connected))
  await admin.post(`/settings/members/${editor.id}/remove`)
  expect((await linksOf(connected)).map(({ user_id }) => user_id)).toEqual(['U0MIRA'])
  const again = { name: 'A successor', email: editor.email, role: 'editor' }
  await admin.post('/settings/members', again)
  await app.sql`update members set account_id = ${editor.accountId} where id = ${editor.id}`
  expect((await approve(connected, 'U0ADA')).text).toContain('Link your account')

  await app.sql`
    insert into credentials (id, account_id, provider_id, provider_account_id, created_at, updated_at)
    values ('cr_link', ${admin.accountId}, 'okta', 'an issuer and a subject', now(), now())`
  const ctx = systemContext(app.forwarder, team.id)
  await unlinkIdentities(
    { ...ctx, emailQueue: null },
    { accountId: admin.accountId, subject: 'An admin' },
  )
  expect(await linksOf(connected)).toHaveLength(0)
})
