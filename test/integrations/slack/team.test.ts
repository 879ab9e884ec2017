import { describe, expect, test } from 'bun:test'
import { adapter } from '../../../integrations/slack/adapter.ts'
import { planMessages } from '../../../src/forwarding/index.ts'
import { daysAfter, utcDay } from '../../../src/lib/clock.ts'
import { startChatApp } from '../../support/chats/chat-app.ts'
import { blocksOf } from '../../support/chats/chat-rows.ts'
import { member } from '../../support/console.ts'
import { newsletterOf, send, unlimitedClient } from '../../support/newsletters.ts'
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
})
const app = await startChatApp({ adapters: [adapter] }, [workspace])

/** Sends a win, and waits until it is a draft with a receipt. */
async function submit({ team, command }: ConnectedTeam, text: string, count = 1): Promise<void> {
  await command('U0MIRA', '/win', text)
  await until(async () => {
    const receipts = await app.sql`
      select r.block_id from receipts r join block_contributors c using (team_id, block_id)
      where team_id = ${team.id}`
    return receipts.length === count
  })
}

/** What `/tidings` answers a person. */
async function ask({ command }: ConnectedTeam, text: string, user = 'U0MIRA'): Promise<string> {
  const response = await command(user, '/tidings', text)
  expect(response.status).toBe(200)
  const { response_type, text: reply } = JSON.parse(await response.text())
  expect(response_type).toBe('ephemeral')
  return reply
}

describe('/tidings', () => {
  test('/tidings explains itself, also for words that it does not know', async () => {
    const connected = await connectTeam(app, workspace)
    for (const text of ['', 'help', 'dance'])
      expect(await ask(connected, text)).toContain('`/tidings mine`')
    expect(await blocksOf(app, connected.team)).toHaveLength(0)
  })

  test('/tidings next says which newsletter is next, when, and how much is in it', async () => {
    const connected = await connectTeam(app, workspace)
    expect(await ask(connected, 'next')).toBe('No newsletter is in preparation yet.')
    const call = await unlimitedClient(app, connected.team)
    await newsletterOf(call, [], { title: 'Later <!here>' })
    expect(await ask(connected, 'next newsletter')).toContain(
      '“Later &lt;!here&gt;” is in preparation',
    )
    await newsletterOf(call, [], { title: 'November', scheduled_date: '2099-11-27' })
    expect(await ask(connected, 'Next')).toBe(
      '“November” is planned for Friday 27 November. It has 0 items so far.',
    )
  })

  test('/tidings next leaves out a newsletter whose date passed some days ago, unless there is no other', async () => {
    const connected = await connectTeam(app, workspace)
    const call = await unlimitedClient(app, connected.team)
    const plan = (title: string, scheduled_date: string | null) =>
      newsletterOf(call, [], { title, scheduled_date })
    await plan('Skipped first', '2020-12-19')
    await plan('Skipped', '2020-12-26')
    expect(await ask(connected, 'next')).toBe('“Skipped” is in preparation. It has 0 items so far.')
    await plan('Without a date', null)
    await plan('Skipped last', '2021-01-02')
    expect(await ask(connected, 'next')).toContain('“Without a date” is in preparation')
    await plan('In December', '2099-12-04')
    await plan('In November', '2099-11-27')
    expect(await ask(connected, 'next')).toContain(
      '“In November” is planned for Friday 27 November',
    )
    await plan('Late', daysAfter(utcDay(new Date()), -2))
    expect(await ask(connected, 'next')).toContain('“Late” is planned for')
  })

  test('/tidings mine shows a person only their own news, with what became of it', async () => {
    const connected = await connectTeam(app, workspace)
    expect(await ask(connected, 'mine')).toContain('You have not sent any news yet')
    await submit(connected, 'We shipped <search>')
    await submit(connected, 'We moved', 2)
    await submit(connected, 'We paused', 3)
    const [first, second, third] = (await blocksOf(app, connected.team)).map(({ id }) => id)
    const call = await unlimitedClient(app, connected.team)
    await call('PATCH', `/content_blocks/${first}`, { status: 'ready' })
    await send(call, await newsletterOf(call, [first ?? '']))
    await call('PATCH', `/content_blocks/${second}`, { status: 'ready' })
    await call('DELETE', `/content_blocks/${third}`)
    const reply = await ask(connected, 'my submissions')
    expect(reply).toMatch(/\|We shipped &lt;search&gt;>: published/)
    expect(reply).toMatch(/\|We moved>: approved/)
    expect(reply).toMatch(/\|News that is no longer stored>: not used this time/)
    const link = /<(http[^|]+)\|We moved/.exec(reply)?.[1] ?? ''
    expect((await fetch(link.replace(/^https?:\/\/[^/]+/, app.base))).status).toBe(200)
    expect(await ask(connected, 'mine', 'U0ADA')).toContain('You have not sent any news yet')
    const other = await connectTeam(app, workspace)
    expect(await ask(other, 'mine')).toContain('You have not sent any news yet')
  })

  test('what a person has undone is not in the list of their news', async () => {
    const connected = await connectTeam(app, workspace)
    await submit(connected, 'We paused')
    await until(async () => workspace.answers.length > 0)
    const [saved] = workspace.answers
    const receipt = { channel: 'C0WINS', ts: '1.1', text: '', blocks: Object(saved).blocks }
    await connected.press('U0MIRA', buttonOf(receipt, 'undo_news'), receipt)
    await until(async () => workspace.answers.length > 1)
    expect(await ask(connected, 'mine')).toContain('You have not sent any news yet')
    const [row] = await app.sql`select token from receipts where team_id = ${connected.team.id}`
    const page = await fetch(`${app.base}/receipts/${connected.team.slug}/${row?.['token']}`)
    expect(await page.text()).toContain('Withdrawn')
  })

  test('/tidings status counts what waits for review and for a newsletter', async () => {
    const connected = await connectTeam(app, workspace)
    await submit(connected, 'We shipped search')
    expect(await ask(connected, 'status')).toBe(
      '1 item waits for review. Nothing is approved for a newsletter.\nNo newsletter is in preparation yet.',
    )
  })

  test('/tidings off and on turn the messages of a person off and on', async () => {
    const { team, command } = await connectTeam(app, workspace)
    const wants = () => app.sql`
      select wants_messages from chat_people where team_id = ${team.id} and user_id = 'U0MIRA'`
    await command('U0MIRA', '/tidings', 'off')
    await until(async () => (await wants())[0]?.['wants_messages'] === false)
    await command('U0MIRA', '/tidings', 'on')
    await until(async () => (await wants())[0]?.['wants_messages'] === true)
    await until(async () => workspace.answers.length >= 2)
  })
})

describe('the home of the Slack app', () => {
  const openHome = ({ event }: ConnectedTeam, user: string) =>
    event({ type: 'app_home_opened', user, channel: `D${user}`, tab: 'home', event_ts: '1795.1' })
  const homeOf = async (user: string) => {
    await until(async () => workspace.homes.has(user))
    return JSON.stringify(workspace.homes.get(user))
  }

  test('the home shows a contributor their news and no review queue', async () => {
    const connected = await connectTeam(app, workspace)
    await submit(connected, 'We shipped search')
    await openHome(connected, 'U0MIRA')
    const home = await homeOf('U0MIRA')
    expect(home).toContain('We shipped search>: waiting for review')
    expect(home).toContain('Write news')
    expect(home).not.toContain('approve_draft')
    expect(workspace.faults).toEqual([])
  })

  test('the home shows an editor the review queue, its buttons work, and it is refreshed', async () => {
    const connected = await connectTeam(app, workspace)
    const { email } = await member(app, connected.team, 'editor')
    workspace.people['U0ADA'] = { name: 'Ada Reyes', email }
    // Slack has sent the id of the workspace, which the connection stores.
    await submit(connected, 'We shipped search')
    await openHome(connected, 'U0ADA')
    expect(await homeOf('U0ADA')).toContain('approve_draft')
    const approve = () => buttonOf({ blocks: workspace.homes.get('U0ADA') ?? [] }, 'approve_draft')
    await connected.request({
      type: 'block_actions',
      api_app_id: 'A0NEWS',
      team: { id: 'T0ACME' },
      user: { id: 'U0ADA' },
      container: { type: 'view', view_id: 'V1' },
      actions: [{ ...approve(), action_ts: '1795.2' }],
    })
    // The home shows it at once, so no message says it.
    await until(async () => !(await homeOf('U0ADA')).includes('approve_draft'))
    expect(await homeOf('U0ADA')).toContain('No draft waits for a review.')
    expect(await blocksOf(app, connected.team)).toMatchObject([{ status: 'ready' }])
    expect(workspace.messages).toHaveLength(0)
    expect(workspace.faults).toEqual([])
  })

  test('a draft that an editor changes on the home before it is posted is posted for a review all the same', async () => {
    const connected = await connectTeam(app, workspace, { review_channel: 'C0EDITORS' })
    const { email } = await member(app, connected.team, 'editor')
    workspace.people['U0ADA'] = { name: 'Ada Reyes', email }
    await submit(connected, 'We shipped search')
    await openHome(connected, 'U0ADA')
    await homeOf('U0ADA')
    const home = { blocks: workspace.homes.get('U0ADA') ?? [] }
    const use = (action: string) =>
      connected.request({
        type: 'block_actions',
        api_app_id: 'A0NEWS',
        team: { id: 'T0ACME' },
        user: { id: 'U0ADA' },
        trigger_id: `trigger-${action}`,
        container: { type: 'view', view_id: 'V1' },
        actions: [{ ...buttonOf(home, action), action_ts: '1795.2' }],
      })
    await use('edit_in_form')
    await until(async () => workspace.opened.length === 1)
    const form = JSON.parse(workspace.opened[0]?.['view'] ?? '{}')
    await connected.submitForm('U0ADA', form, { title: 'Search is here', body: 'It is fast.' })
    await until(
      async () => (await blocksOf(app, connected.team))[0]?.['title'] === 'Search is here',
    )
    await planMessages(app.forwarder)
    const posted = () => workspace.in('C0EDITORS')
    await until(async () => posted().length > 0)
    expect(textOf(posted()[0])).toContain('Search is here')
    expect(textOf(posted()[0])).toContain('approve_draft')
    const later = new Date(Date.now() + 120_000)
    await planMessages({ ...app.forwarder, now: () => later })
    expect(posted()).toHaveLength(1)
  })

  test('the home of people who have opened it is published again when what it shows has changed, and only then', async () => {
    const connected = await connectTeam(app, workspace)
    workspace.people['U0BEN'] = { name: 'Ben Okoro' }
    await submit(connected, 'We shipped search')
    await openHome(connected, 'U0MIRA')
    await openHome(connected, 'U0BEN')
    expect(await homeOf('U0MIRA')).toContain('We shipped search>: waiting for review')
    await homeOf('U0BEN')
    const { id } = connected.team
    await until(
      async () => (await app.sql`select 1 from chat_homes where team_id = ${id}`).length === 2,
    )
    const refreshed = async () => {
      const rows = await app.sql<{ user: string }[]>`
        select data->>'userId' as user from pgboss.job
        where name = 'publish-chat-home' and data->>'teamId' = ${id}`
      return rows.map(({ user }) => user)
    }
    await planMessages(app.forwarder)
    expect(await refreshed()).toEqual([])
    const [draft] = await blocksOf(app, connected.team)
    const call = await unlimitedClient(app, connected.team)
    await call('PATCH', `/content_blocks/${draft?.id}`, { status: 'ready' })
    await Promise.all([planMessages(app.forwarder), planMessages(app.forwarder)])
    await until(async () => (await homeOf('U0MIRA')).includes('We shipped search>: approved'))
    await planMessages(app.forwarder)
    // The home of Ben shows nothing that has changed.
    expect(await refreshed()).toEqual(['U0MIRA'])
    expect(workspace.faults).toEqual([])
  })

  test('the home keeps the limits of Slack with very many and very long items, and leads to the drafts that it leaves out', async () => {
    const connected = await connectTeam(app, workspace)
    const { team, connectionId, command } = connected
    const { email } = await member(app, team, 'editor')
    // Each of these characters becomes four or five in Slack's format.
    workspace.people['U0LONG'] = { name: '>'.repeat(200), email }
    const text = `${'&'.repeat(250)}\n${'<&> 👩‍👩‍👧'.repeat(1_500)}`
    const count = 12
    await Promise.all(Array.from({ length: count }, () => command('U0LONG', '/win', text)))
    await until(async () => {
      const rows = await app.sql`select 1 from receipts where team_id = ${team.id}`
      return rows.length === count
    })
    await app.sql`
      insert into prompts (team_id, connection_id, message_id, channel, day, question, created_at)
      select ${team.id}, ${connectionId}, 'cm_' || lpad(n::text, 32, '0'), 'C0WINS', date '2026-11-01' + n,
        ${'<'.repeat(300)}, now()
      from generate_series(1, 20) as n`
    await openHome(connected, 'U0LONG')
    const home = await homeOf('U0LONG')
    expect(home.match(/approve_draft/g)).toHaveLength(10)
    expect(home).toContain('These are the oldest drafts.')
    expect(home).toContain('/library?status=draft|Tidings>')
    expect(workspace.faults).toEqual([])
  })

  test('a home whose content changes while it is published shows what is true afterwards', async () => {
    const connected = await connectTeam(app, workspace)
    await submit(connected, 'We shipped search')
    const [draft] = await blocksOf(app, connected.team)
    const call = await unlimitedClient(app, connected.team)
    let published = 0
    workspace.onHome(async () => {
      published += 1
      if (published === 1) await call('PATCH', `/content_blocks/${draft?.id}`, { status: 'ready' })
    })
    try {
      await openHome(connected, 'U0MIRA')
      await until(async () => (await homeOf('U0MIRA')).includes('We shipped search>: approved'))
      await until(async () => published === 2)
    } finally {
      workspace.onHome(() => {})
    }
  })

  test('a mention of the app is answered for its author only, with a button that opens the form', async () => {
    const { event, request } = await connectTeam(app, workspace)
    await event({
      type: 'app_mention',
      user: 'U0MIRA',
      channel: 'C0WINS',
      ts: '1795.3',
      event_ts: '1795.3',
      text: '<@U0BOT> we shipped search',
    })
    await until(async () => workspace.ephemerals.length > 0)
    expect(workspace.ephemerals).toMatchObject([{ channel: 'C0WINS', ts: 'U0MIRA' }])
    expect(workspace.messages).toHaveLength(0)
    await request({
      type: 'block_actions',
      api_app_id: 'A0NEWS',
      team: { id: 'T0ACME' },
      user: { id: 'U0MIRA' },
      trigger_id: '1.2.3',
      response_url: workspace.responseUrl,
      actions: [{ action_id: 'open_form', value: 'form', action_ts: '1795.4' }],
    })
    await until(async () => workspace.opened.length > 0)
    expect(workspace.opened[0]?.['trigger_id']).toBe('1.2.3')
    expect(workspace.faults).toEqual([])
  })
})

test('everything that the app says is in the language of the team: answers, the form, and what follows', async () => {
  const connected = await connectTeam(app, workspace)
  const { team, command } = connected
  await app.sql`update teams set language = 'de' where id = ${team.id}`
  expect(await (await command('U0MIRA', '/win', 'help')).text()).toContain('Ein Befehl ohne Text')
  expect(await (await command('U0MIRA', '/win', 'Suche ist fertig')).text()).toContain(
    'Gespeichert.',
  )
  await command('U0MIRA', '/win', '')
  await until(async () => workspace.opened.length > 0)
  const form = workspace.opened[0]?.['view'] ?? ''
  for (const word of [
    'Für den Newsletter',
    'Speichern',
    'Abbrechen',
    'Titel',
    'Termin',
    'Neu im Team',
  ])
    expect(form).toContain(word)
  expect(form).not.toMatch(/"(?:Save|Cancel|Title|Type|News)"/)
  await until(async () => workspace.answers.length > 0 || workspace.messages.length > 0)
  const followUp = JSON.stringify([workspace.answers, workspace.messages])
  expect(followUp).toContain('Für den Newsletter gespeichert:')
  expect(followUp).toContain('Rückgängig')
})
