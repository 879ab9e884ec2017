import { expect, test } from 'bun:test'
import { adapter } from '../../../integrations/slack/adapter.ts'
import { deleteConnection } from '../../../src/features/connections/index.ts'
import { purgeContributors } from '../../../src/features/contributors/index.ts'
import { replayDelivery } from '../../../src/features/deliveries/index.ts'
import { decideDraft } from '../../../src/features/draft-reviews/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { planMessages } from '../../../src/forwarding/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { transaction } from '../../../src/lib/database/db.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { blocksOf, chatMessagesOf, retryJobsOf } from '../../support/chats/chat-rows.ts'
import { member, signedIn } from '../../support/console.ts'
import { untilNothingIsSent } from '../../support/jobs.ts'
import { newsletterOf, unlimitedClient } from '../../support/newsletters.ts'
import {
  addConnection,
  buttonOf,
  type ConnectedTeam,
  connectTeam,
  type Message,
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

/** A team with a channel for reviews, whose editors Ada and Ben are in Slack. */
async function reviewing(given: Record<string, unknown> = {}) {
  const connected = await connectTeam(app, workspace, { review_channel: channel, ...given })
  for (const [id, name] of [
    ['U0ADA', 'Ada'],
    ['U0BEN', 'Ben'],
  ] as const) {
    const { email } = await member(app, connected.team, 'editor', { name })
    workspace.people[id] = { ...workspace.people[id], name, email }
  }
  return connected
}

const planAt = (at: Date = new Date()) => planMessages({ ...app.forwarder, now: () => at })

/** Sends a win and waits until it is a draft. */
async function submit({ team, command }: ConnectedTeam, text: string, count = 1): Promise<void> {
  await command('U0MIRA', '/win', text)
  await until(async () => (await blocksOf(app, team)).length === count)
}

/** The messages in the channel, once there are so many. */
async function digests(count: number): Promise<Message[]> {
  await until(async () => workspace.in(channel).length >= count)
  return workspace.in(channel)
}

async function oneDigest(): Promise<Message> {
  const [message] = await digests(1)
  if (!message) throw new Error('there is no message')
  return message
}

const button = (message: Message, action: 'approve' | 'decline', index = 0) =>
  buttonOf(message, `${action}_draft`, index)

/** The deliveries that came from buttons, once there are so many and all are settled. */
async function actionsOf({ id }: Team, count: number) {
  const rows = () => app.sql<{ status: string; reason: string }[]>`
    select status, reason from deliveries
    where team_id = ${id} and delivery_id like 'action:%' and status <> 'waiting' order by id`
  await until(async () => (await rows()).length === count)
  return await rows()
}

test('new drafts are posted once for a review, and an editor approves one with a button', async () => {
  const connected = await reviewing()
  await submit(connected, 'We shipped <!channel> search\nIt finds *everything*.')
  await Promise.all([planAt(), planAt()])
  const message = await oneDigest()
  expect(textOf(message)).toContain('1 new draft to review')
  expect(textOf(message)).toContain('It finds everything.')
  expect(textOf(message)).toContain('by Mira Solano')
  await connected.press('U0ADA', button(message, 'approve'), message)
  await until(async () => textOf(message).includes('Approved by <@U0ADA>'))
  expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'ready' }])
  expect(textOf(message)).not.toContain('approve_draft')
  expect(textOf(message)).toContain('No draft waits for a review.')
  const [entry] = await app.sql`
    select actor, subject from audit_log where team_id = ${connected.team.id} and action = 'block_reviewed'`
  expect(entry).toMatchObject({
    actor: expect.stringContaining('Ada'),
    subject: expect.stringContaining('(ready)'),
  })
  await planAt(new Date(Date.now() + 120_000))
  expect(workspace.in(channel)).toHaveLength(1)
  expect(workspace.faults).toEqual([])
})

test('a declined draft is in the trash, and only the person who sent it gets a message about that', async () => {
  const connected = await reviewing()
  await submit(connected, 'We shipped search')
  await planAt()
  const message = await oneDigest()
  expect(button(message, 'decline').confirm.text.text).toContain('for a day')
  await connected.press('U0ADA', button(message, 'decline'), message)
  await until(async () => textOf(message).includes('Declined by <@U0ADA>'))
  await until(async () => workspace.in('DU0MIRA').length > 0)
  expect(workspace.in('DU0MIRA')[0]?.text).toBe(
    'Thank you for sending “We shipped search”. The editors have decided not to use it this time.',
  )
  expect(await blocksOf(app, connected.team)).toHaveLength(0)
  expect(workspace.messages.map(({ channel }) => channel).toSorted()).toEqual([channel, 'DU0MIRA'])
  const mine = async () => await (await connected.command('U0MIRA', '/tidings', 'mine')).text()
  expect(await mine()).toContain('|We shipped search>: not used this time, thank you')
  await app.sql`delete from trashed_blocks where team_id = ${connected.team.id}`
  expect(await mine()).toContain('|News that is no longer stored>: not used this time')
})

test('when two editors decide differently, the first counts and both are informed', async () => {
  const connected = await reviewing()
  await submit(connected, 'We shipped search')
  await planAt()
  const message = await oneDigest()
  const [approve, decline] = [button(message, 'approve'), button(message, 'decline')]
  await Promise.all([
    connected.press('U0ADA', approve, message),
    connected.press('U0BEN', decline, message),
  ])
  const actions = await actionsOf(connected.team, 2)
  expect(actions.map(({ status }) => status).toSorted()).toEqual(['delivered', 'ignored'])
  const isApproved = (await blocksOf(app, connected.team)).length > 0
  const [first, other] = isApproved ? ['U0ADA', 'U0BEN'] : ['U0BEN', 'U0ADA']
  await until(async () => workspace.in(channel).length > 1)
  const reply = workspace.in(channel)[1]
  expect(reply?.thread_ts).toBe(message.ts)
  expect(reply?.text).toContain(`<@${first}>`)
  expect(reply?.text).toContain(`<@${other}>`)
  expect(reply?.text).toContain('The first choice counts.')
  await until(async () => textOf(message).includes(`by <@${first}>`))
})

test('an editor who decides the same a moment later learns who was first', async () => {
  const connected = await reviewing()
  await submit(connected, 'We shipped search')
  await planAt()
  const message = await oneDigest()
  const approve = button(message, 'approve')
  await connected.press('U0ADA', approve, message)
  await actionsOf(connected.team, 1)
  await connected.press('U0BEN', approve, message)
  const texts = () => workspace.answers.map(({ text = '' }) => text)
  await until(async () => texts().some((text) => text.startsWith('<@U0ADA> approved')))
  expect(texts()).toContain(
    '<@U0ADA> approved “We shipped search” a moment before you, as you chose.',
  )
})

test('a button that Slack reports twice is used once', async () => {
  const connected = await reviewing()
  await submit(connected, 'We shipped search')
  await planAt()
  const message = await oneDigest()
  const fields = {
    type: 'block_actions',
    api_app_id: 'A0NEWS',
    team: { id: 'T0ACME' },
    user: { id: 'U0ADA' },
    response_url: workspace.responseUrl,
    container: { channel_id: channel, message_ts: message.ts },
    actions: [{ ...button(message, 'approve'), type: 'button', action_ts: '1795.77' }],
  }
  await Promise.all([connected.request(fields), connected.request(fields)])
  await actionsOf(connected.team, 1)
  await until(async () => textOf(message).includes('Approved by <@U0ADA>'))
  expect(
    await app.sql`
    select id from audit_log where team_id = ${connected.team.id} and action = 'block_reviewed'`,
  ).toHaveLength(1)
})

test.each([
  ['a person without an account', {}],
  ['a person of another workspace', { team_id: 'T0OTHER' }],
  ['a person whose address is not verified', { is_email_confirmed: false }],
  ['a deactivated account', { deleted: true }],
])('a button of a review changes nothing for %s, who gets the reason', async (_, about) => {
  const connected = await reviewing()
  const { email } = await member(app, connected.team, 'editor')
  const isStranger = Object.keys(about).length === 0
  workspace.people['U0EVE'] = {
    name: 'Eve',
    email: isStranger ? 'eve@other.test' : email,
    ...about,
  }
  await submit(connected, 'We shipped search')
  await planAt()
  const message = await oneDigest()
  await connected.press('U0EVE', button(message, 'approve'), message)
  await until(async () =>
    workspace.answers.some(({ text = '' }) => text.includes('belongs to no editor')),
  )
  expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
})

test('viewers, invited people and editors of another team do not review', async () => {
  const connected = await reviewing()
  const { email: ofViewer } = await member(app, connected.team, 'viewer')
  const other = await app.team()
  const { email: ofOther } = await member(app, other, 'editor')
  workspace.people['U0VIEW'] = { name: 'View', email: ofViewer }
  workspace.people['U0OTHER'] = { name: 'Other', email: ofOther }
  await submit(connected, 'We shipped search')
  await planAt()
  const message = await oneDigest()
  await connected.press('U0VIEW', button(message, 'approve'), message)
  await connected.press('U0OTHER', button(message, 'decline'), message)
  await actionsOf(connected.team, 2)
  await until(async () =>
    workspace.answers.some(({ text = '' }) => text.includes('can make you one')),
  )
  expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
})

test('a button with the block of another team changes nothing', async () => {
  const connected = await reviewing()
  const other = await connectTeam(app, workspace)
  await submit(other, 'Of another team')
  await submit(connected, 'We shipped search')
  await planAt()
  const message = await oneDigest()
  const [foreign] = await blocksOf(app, other.team)
  const forged = { action_id: 'decline_draft', value: `${foreign?.id}.1` }
  await connected.press('U0ADA', forged, message)
  await until(async () =>
    workspace.answers.some(({ text = '' }) => text.includes('does not exist any more')),
  )
  expect(await blocksOf(app, other.team)).toMatchObject([{ status: 'draft' }])
})

test('a review in Tidings updates the message, too', async () => {
  const connected = await reviewing()
  await submit(connected, 'We shipped search')
  await submit(connected, 'We moved', 2)
  await planAt()
  const message = await oneDigest()
  const [first, second] = await blocksOf(app, connected.team)
  const call = await unlimitedClient(app, connected.team)
  await call('PATCH', `/content_blocks/${first?.id}`, { status: 'ready' })
  await call('DELETE', `/content_blocks/${second?.id}`)
  await planAt()
  await until(async () => textOf(message).includes('Approved in Tidings'))
  expect(textOf(message)).toContain('Removed in Tidings')
})

/** Declines or approves a draft as Ada, and makes it a draft again in Tidings. Returns the ids and the first button. */
async function reopened(connected: ConnectedTeam, message: Message, action: 'approve' | 'decline') {
  const pressed = button(message, action)
  const [draft] = await blocksOf(app, connected.team)
  const id = draft?.id ?? ''
  await connected.press('U0ADA', pressed, message)
  await until(async () => textOf(message).includes('by <@U0ADA>'))
  if (action === 'decline') {
    const editor = await signedIn(app, connected.team, 'editor')
    await editor.get('/library')
    await editor.post(`/library/${id}/restore`)
  } else {
    const call = await unlimitedClient(app, connected.team)
    await call('PATCH', `/content_blocks/${id}`, { status: 'draft' })
  }
  expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
  return { id, pressed, version: action === 'decline' ? 2 : 3 }
}

test.each(['approve', 'decline'] as const)(
  'after one editor has chosen to %s a draft and another has made it a draft again, its message gets its buttons back',
  async (action) => {
    const connected = await reviewing()
    await submit(connected, 'We shipped search')
    await planAt()
    const message = await oneDigest()
    await reopened(connected, message, action)
    await planAt()
    await until(async () => textOf(message).includes('approve_draft'))
    expect(textOf(message)).toContain('1 new draft to review')
    await connected.press('U0BEN', button(message, 'approve'), message)
    await until(async () => textOf(message).includes('Approved by <@U0BEN>'))
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'ready' }])
  },
)

test.each([
  ['another editor', 'U0BEN'],
  ['the same editor', 'U0ADA'],
])(
  'a draft that is a draft again is decided by %s also before its message shows that',
  async (_, user) => {
    const connected = await reviewing()
    await submit(connected, 'We shipped search')
    await planAt()
    const message = await oneDigest()
    const { id, version } = await reopened(connected, message, 'approve')
    // As the home of the app shows it.
    const shown = { action_id: 'approve_draft', value: `${id}.${version}` }
    await connected.press(user, shown, message)
    await actionsOf(connected.team, 2)
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'ready' }])
    await until(async () => textOf(message).includes(`Approved by <@${user}>`))
  },
)

test.each(['approve', 'decline'] as const)(
  'a button with which somebody chose to %s a draft decides nothing when it is used again after the draft is a draft again',
  async (action) => {
    const connected = await reviewing()
    await submit(connected, 'We shipped search')
    await planAt()
    const message = await oneDigest()
    const { pressed } = await reopened(connected, message, action)
    await connected.press('U0ADA', pressed, message)
    await actionsOf(connected.team, 2)
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
    await until(async () => textOf(message).includes('approve_draft'))
    await until(async () =>
      workspace.answers.some(({ text = '' }) =>
        text.startsWith('“We shipped search” has changed since you read it'),
      ),
    )
  },
)

test.each(['approve', 'decline'] as const)(
  'a draft that was edited after its message was posted is not %sd unread: the message shows the present text',
  async (action) => {
    const connected = await reviewing()
    await submit(connected, 'We shipped search')
    await planAt()
    const message = await oneDigest()
    const shown = button(message, action)
    const [draft] = await blocksOf(app, connected.team)
    const call = await unlimitedClient(app, connected.team)
    await call('PATCH', `/content_blocks/${draft?.id}`, { title: 'Something else' })
    await connected.press('U0ADA', shown, message)
    await until(async () => textOf(message).includes('Something else'))
    await until(async () =>
      workspace.answers.some(({ text = '' }) =>
        text.startsWith('“Something else” has changed since you read it'),
      ),
    )
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
    await connected.press('U0ADA', button(message, action), message)
    await until(async () => textOf(message).includes('by <@U0ADA>'))
  },
)

test('a button from before messages named the version decides nothing, and its message is updated', async () => {
  const connected = await reviewing()
  await submit(connected, 'We shipped search')
  await planAt()
  const message = await oneDigest()
  const { action_id } = button(message, 'approve')
  const [draft] = await blocksOf(app, connected.team)
  const updates = () => workspace.calls.filter((name) => name === 'chat.update').length
  await connected.press('U0ADA', { action_id, value: draft?.id ?? '' }, message)
  await until(async () => updates() === 1)
  expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'draft' }])
})

test('a draft that is in a newsletter cannot be declined, and the editor gets the reason', async () => {
  const connected = await reviewing()
  await submit(connected, 'We shipped search')
  await planAt()
  const message = await oneDigest()
  const call = await unlimitedClient(app, connected.team)
  await newsletterOf(
    call,
    (await blocksOf(app, connected.team)).map(({ id }) => id),
  )
  await connected.press('U0ADA', button(message, 'decline'), message)
  await until(async () =>
    workspace.answers.some(({ text = '' }) => text.includes('in a newsletter')),
  )
  expect(await blocksOf(app, connected.team)).toHaveLength(1)
  expect(workspace.in('DU0MIRA')).toHaveLength(0)
})

/** Saves a message of a private conversation. */
const submitPrivate = (connected: ConnectedTeam) =>
  connected.request({
    type: 'view_submission',
    api_app_id: 'A0NEWS',
    team: { id: 'T0ACME' },
    user: { id: 'U0MIRA', name: 'mira', team_id: 'T0ACME' },
    view: {
      id: 'V1',
      hash: 'h1',
      callback_id: 'newsletter_form',
      app_installed_team_id: 'T0ACME',
      private_metadata: JSON.stringify({
        channel: 'D0SECRET',
        message_ts: '1795.2',
        is_private: true,
      }),
      state: {
        values: {
          title: { title: { value: 'We moved' } },
          body: { body: { value: 'A secret of two people' } },
          block_type: { block_type: { selected_option: { value: 'general' } } },
        },
      },
    },
  })

async function expectPrivateDigest(): Promise<void> {
  const message = await oneDigest()
  expect(textOf(message)).toContain('News from a private conversation')
  expect(JSON.stringify(message)).not.toMatch(/We moved|A secret of two people/)
}

test('the channel does not show the text of a private conversation', async () => {
  const connected = await reviewing()
  await submitPrivate(connected)
  await until(async () => (await blocksOf(app, connected.team)).length === 1)
  await until(
    async () =>
      (
        await app.sql`
    select 1 from block_contributors where team_id = ${connected.team.id}`
      ).length === 1,
  )
  await planAt()
  await expectPrivateDigest()
})

test('a draft from a private conversation is not shown by another connection after its own was removed', async () => {
  const connected = await reviewing()
  await submitPrivate(connected)
  const contributors = () => app.sql<{ user_id: string }[]>`
    select user_id from block_contributors where team_id = ${connected.team.id}`
  await until(async () => (await contributors()).length === 1)
  const ctx = systemContext(app.forwarder, connected.team.id)
  await deleteConnection(ctx, connected.connectionId)
  await purgeContributors(app.forwarder)
  expect((await contributors()).map(({ user_id }) => user_id)).toEqual(['-'])
  await addConnection(app, connected.team, workspace, { review_channel: channel })
  await planAt()
  await expectPrivateDigest()
})

test('a draft from a private conversation is not posted before it is stored that it is private', async () => {
  const connected = await reviewing()
  await transaction(app.sql, async (tx) => {
    await tx`lock table block_contributors in exclusive mode`
    await submitPrivate(connected)
    await until(async () => (await blocksOf(app, connected.team)).length === 1)
    await planAt()
    const posted = await app.sql`
      select 1 from draft_reviews where team_id = ${connected.team.id}`
    expect(posted).toHaveLength(0)
  })
  await until(async () => {
    await retryJobsOf(app, connected.team)
    await planAt()
    return workspace.in(channel).length > 0
  })
  await expectPrivateDigest()
})

test('a draft from a private conversation whose delivery fails before it is stored that it is private is posted once a replay has stored it', async () => {
  const connected = await reviewing()
  const { team } = connected
  const deliveries = () => app.sql<{ id: string; status: string; reason: string | null }[]>`
    select id, status, reason from deliveries where team_id = ${team.id}`
  await app.sql`
    alter table block_contributors add constraint interrupted check (false) not valid`
  try {
    await submitPrivate(connected)
    await until(async () => (await deliveries())[0]?.reason != null)
    expect(await blocksOf(app, team)).toHaveLength(1)
    await app.sql`update api_keys set revoked_at = now() where team_id = ${team.id}`
    await until(async () => {
      await retryJobsOf(app, team)
      return (await deliveries())[0]?.status === 'failed'
    })
  } finally {
    await app.sql`alter table block_contributors drop constraint interrupted`
  }
  const isPosted = async () =>
    (await app.sql`select 1 from draft_reviews where team_id = ${team.id}`).length > 0
  await planAt()
  expect(await isPosted()).toBe(false)
  await app.sql`update api_keys set revoked_at = null where team_id = ${team.id}`
  const ctx = { ...systemContext(app.forwarder, team.id), queue: app.forwarder.queue }
  await replayDelivery(ctx, (await deliveries())[0]?.id ?? '')
  await until(async () => (await deliveries())[0]?.status === 'delivered')
  await planAt()
  expect(await isPosted()).toBe(true)
  await expectPrivateDigest()
})

test('an hourly digest has the drafts of the hours before, a daily one those before nine o’clock', async () => {
  const hourMs = 3_600_000
  const tomorrow = new Date(Date.now() + 24 * hourMs).toISOString().slice(0, 10)
  const hourly = await reviewing({ review_digest: 'hourly' })
  await submit(hourly, 'We shipped search')
  const [draft] = await app.sql<{ created_at: Date }[]>`
    select created_at from content_blocks where team_id = ${hourly.team.id}`
  // An hour can end while the test runs.
  const hour = Math.floor((draft?.created_at.getTime() ?? 0) / hourMs)
  await planAt(new Date(hour * hourMs + 60_000))
  await untilNothingIsSent(app)
  expect(workspace.in(channel)).toHaveLength(0)
  await planAt(new Date((hour + 1) * hourMs + 60_000))
  await digests(1)
  workspace.reset()
  const daily = await reviewing({ review_digest: 'daily', time_zone: 'Europe/Berlin' })
  await submit(daily, 'We moved')
  await planAt(new Date(`${tomorrow}T06:30:00Z`))
  await planAt(new Date(`${tomorrow}T08:30:00Z`))
  expect(textOf((await digests(1))[0])).toContain('We moved')
})

test('thirty drafts are posted in messages that keep the limits of Slack', async () => {
  const connected = await reviewing()
  const title = `${'<&>'.repeat(80)} ${'x'.repeat(10)}`
  const key = await app.key(connected.team, ['write'])
  for (let n = 0; n < 30; n++) {
    await fetch(`${app.base}/api/v1/webhooks/ingest`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ title: `${title}${n}`, body: '&<>'.repeat(2000) }),
    })
  }
  await planAt(new Date(Date.now() + 1000))
  const messages = await digests(3)
  expect(
    messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === 'actions')),
  ).toHaveLength(30)
  expect(workspace.faults).toEqual([])
})

test('a decision on the home of Slack at the moment in which its draft is posted for a review stays', async () => {
  const connected = await reviewing()
  const { team, connectionId } = connected
  await submit(connected, 'We shipped search')
  const [block] = await blocksOf(app, team)
  const plan = await transaction(app.sql, async (sql) => {
    const ctx = { ...systemContext(app.forwarder, team.id), sql, queue: app.forwarder.queue }
    const reviewer = { userId: 'U0ADA', name: 'Ada' }
    const review = { connectionId, blockId: block?.id ?? '', version: 1, reviewer }
    const decided = await decideDraft(ctx, { ...review, decision: 'approved' })
    expect(decided).toEqual({ outcome: 'decided' })
    const planned = planAt()
    await until(
      async () =>
        (
          await app.sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%draft_reviews%'`
        ).length > 0,
    )
    return { planned }
  })
  await plan.planned
  const message = await oneDigest()
  expect(textOf(message)).toContain('Approved by <@U0ADA>')
  const rows = await app.sql`
    select decision, decided_by from draft_reviews where team_id = ${team.id}`
  expect([...rows]).toEqual([{ decision: 'approved', decided_by: 'U0ADA' }])
})

test.each([
  ['down', 'sent', 2],
  ['lost', 'unknown', 1],
] as const)(
  'when Slack is %s, the message for a channel, in which the app can look for no message, is %s after %d requests',
  async (failure, status, requests) => {
    const connected = await reviewing()
    await submit(connected, 'We shipped search')
    workspace.failures.set('chat.postMessage', failure)
    await planAt(new Date(Date.now() + 60_000))
    await until(async () => (await chatMessagesOf(app, connected.team))[0]?.reason != null)
    workspace.failures.clear()
    await until(async () => {
      await retryJobsOf(app, connected.team)
      return (await chatMessagesOf(app, connected.team))[0]?.status === status
    })
    expect(workspace.in(channel)).toHaveLength(1)
    const posts = workspace.calls.filter((method) => method === 'chat.postMessage')
    expect(posts).toHaveLength(requests)
  },
)
