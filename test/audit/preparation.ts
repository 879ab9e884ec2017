import { adapter as github } from '../../integrations/github/adapter.ts'
import { adapter as mattermost } from '../../integrations/mattermost/adapter.ts'
import { adapter as slack } from '../../integrations/slack/adapter.ts'
import { createAccountLink } from '../../src/features/chat-accounts/index.ts'
import { addRoute, createConnection, webhookUrl } from '../../src/features/connections/index.ts'
import { storeIgnored } from '../../src/features/deliveries/index.ts'
import { createEvent } from '../../src/features/events/index.ts'
import { addMember, type Member } from '../../src/features/members/index.ts'
import { savePromptSchedule, setPromptMuted } from '../../src/features/prompts/index.ts'
import { createSubmissionLink } from '../../src/features/submissions/index.ts'
import { updateTeam } from '../../src/features/teams/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { type Context, systemContext } from '../../src/lib/context.ts'

import type { AuditSetup } from './operation.ts'

export const contextOf = ({ app, team }: AuditSetup): Context =>
  systemContext({ sql: app.sql, now: systemClock }, team.id)

export const text = { title: 'A block', body: 'Some text.', block_type: 'general' }

export async function newBlock({ api }: AuditSetup, status = 'draft'): Promise<string> {
  return (await api('POST', '/content_blocks', { ...text, status })).json.content_block.id
}

export async function newNewsletter({ api }: AuditSetup): Promise<string> {
  const input = { title: 'News', subject_line: 'What is new' }
  return (await api('POST', '/newsletters', input)).json.newsletter.id
}

interface Filled {
  id: string
  blockIds: string[]
}

/** A newsletter with two ready blocks. */
export async function filledNewsletter(setup: AuditSetup): Promise<Filled> {
  const id = await newNewsletter(setup)
  const blockIds: string[] = []
  for (const _ of [1, 2]) {
    const content_block_id = await newBlock(setup, 'ready')
    const { json } = await setup.api('POST', `/newsletters/${id}/blocks`, { content_block_id })
    blockIds.push(json.newsletter_block.id)
  }
  return { id, blockIds }
}

/** The id of a newsletter that was marked as sent. */
export async function sentNewsletter(setup: AuditSetup): Promise<string> {
  const { id } = await filledNewsletter(setup)
  for (const status of ['ready', 'sent']) await setup.api('PATCH', `/newsletters/${id}`, { status })
  return id
}

/** A sent newsletter, and a connection with a channel for newsletters. */
export async function newsletterToPost(
  setup: AuditSetup,
): Promise<{ id: string; connection: string }> {
  const given = { token: 'a token', newsletter_webhook: 'https://chat.example/hooks/1' }
  const ctx = systemContext(setup.app.forwarder, setup.team.id)
  const connection = await createConnection(ctx, { adapter: mattermost, given })
  return { id: await sentNewsletter(setup), connection: connection.id }
}

/** A newsletter with one section of its own. */
export async function newsletterWithElement(
  setup: AuditSetup,
): Promise<{ id: string; element: string }> {
  const id = await newNewsletter(setup)
  const input = { type: 'section', heading: 'New faces' }
  const { json } = await setup.api('POST', `/newsletters/${id}/elements`, input)
  return { id, element: json.element.id }
}

export const templateFields = {
  slug: 'quiet',
  name: 'Quiet',
  description: 'For short issues.',
  sections: [{ title: 'News', block_types: ['general'] }],
}

/** The form of a template in the console. */
export const templateForm = {
  name: 'Quieter',
  description: 'For short issues.',
  base: 'digest',
  font: 'georgia',
  width: '560',
  corner_radius: '4',
  'section_title[]': ['People'],
  'section_types[]': ['0:new_starter'],
}

/** The slug of a template of the team. */
export async function newTemplate({ api }: AuditSetup): Promise<string> {
  const slug = `template-${crypto.randomUUID().slice(0, 8)}`
  await api('POST', '/templates', { ...templateFields, slug })
  return slug
}

export async function readyNewsletter(setup: AuditSetup): Promise<string> {
  const { id } = await filledNewsletter(setup)
  await setup.api('PATCH', `/newsletters/${id}`, { status: 'ready' })
  return id
}

/** An AI draft first, so that the counter of the month exists. */
export async function firstDraft({ api }: AuditSetup): Promise<void> {
  await api('POST', '/content_blocks/ai_draft', { context: 'We signed Harbour Bank.' })
}

export async function newEvent(setup: AuditSetup): Promise<string> {
  const slug = `event-${crypto.randomUUID()}`
  await createEvent(contextOf(setup), { ...eventFields, slug, recurs: false })
  return slug
}

export const eventFields = {
  name: 'Open day',
  event_date: '2027-05-01',
  category: 'corporate' as const,
  description: null,
  suggested_content: null,
}

async function newConnection(setup: AuditSetup) {
  const { forwarder } = setup.app
  const given = { secret: 'a secret of a test' }
  const input = { adapter: github, given, unseenSecrets: ['secret'] }
  return await createConnection(systemContext(forwarder, setup.team.id), input)
}

/** A connection, and the webhook URL of another one. */
export async function twoConnections(setup: AuditSetup) {
  const [one, other] = [await newConnection(setup), await newConnection(setup)]
  return { id: one.id, address: webhookUrl(setup.app.base, 'github', other.webhookToken) }
}

/** A connection with a route for `acme/web`. */
export async function routedConnectionId(setup: AuditSetup): Promise<string> {
  const { id, address } = await twoConnections(setup)
  const ctx = systemContext(setup.app.forwarder, setup.team.id)
  await addRoute(ctx, { id, source: 'acme/web', address })
  return id
}

export const connectionId = async (setup: AuditSetup) => (await newConnection(setup)).id

/** The reference of a failed job of the team. */
export async function failedJob({ app: { sql }, team }: AuditSetup): Promise<string> {
  const [job] = await sql<{ id: string }[]>`
    insert into pgboss.job (name, data, state, completed_on)
    values ('send-preview-email', ${sql.json({ teamId: team.id })}, 'failed', now()) returning id`
  return `send-preview-email.${job?.id}`
}

export async function ignoredDelivery(setup: AuditSetup): Promise<string> {
  const { id, apiKeyId } = await newConnection(setup)
  const source = { teamId: setup.team.id, id, apiKey: { id: apiKeyId } }
  const event = { deliveryId: crypto.randomUUID(), reason: 'A test.', event: {} }
  return (await storeIgnored(setup.app.forwarder, source, event)) ?? ''
}

/** A message to a chat that failed. */
export async function failedMessage(setup: AuditSetup): Promise<string> {
  const { id: connection } = await newConnection(setup)
  const id = `cm_${crypto.randomUUID()}`
  await setup.app.sql`
    insert into chat_messages (id, team_id, connection_id, kind, recipient, subject, status, created_at)
    values (${id}, ${setup.team.id}, ${connection}, 'published', 'U0MIRA', ${id}, 'failed', now())`
  return id
}

export async function newMember(setup: AuditSetup): Promise<Member> {
  const email = `${crypto.randomUUID()}@people.test`
  return await addMember(contextOf(setup), { email, name: 'Bea', role: 'viewer' })
}

export async function keyId({ app, team }: AuditSetup): Promise<string> {
  await app.key(team, ['read'], { name: 'A key' })
  const [key] = await app.sql<{ id: string }[]>`
    select id from api_keys where team_id = ${team.id} order by id desc limit 1`
  return key?.id ?? ''
}

/** Turns the archive of the team on. */
export const archiveOn = (setup: AuditSetup) => updateTeam(contextOf(setup), { archive: 'link' })

export const newLink = (setup: AuditSetup) => createSubmissionLink(contextOf(setup))

/** A connection to a chat that can be asked for news. */
export async function chatConnection({ app, team }: AuditSetup): Promise<string> {
  const given = { signing_secret: 'a secret', bot_token: 'a token' }
  const ctx = systemContext(app.forwarder, team.id)
  return (await createConnection(ctx, { adapter: slack, given })).id
}

/** The form about when a chat is asked for news. */
export const promptForm = {
  channels: 'C0WINS',
  weekday: '4',
  every_weeks: '1',
  time: '14:00',
  time_zone: 'Europe/Berlin',
}

/** A connection to a chat in which somebody has stopped the questions. */
export async function mutedChannel(setup: AuditSetup): Promise<string> {
  const connectionId = await chatConnection(setup)
  const settings = {
    is_active: true,
    question: null,
    channels: ['C0WINS'],
    weekday: 4,
    every_weeks: 1,
    minute_of_day: 840,
    time_zone: 'Europe/Berlin',
    holiday_region: null,
    days_off: [],
    reminds_contributors: false,
  }
  await savePromptSchedule(contextOf(setup), { connectionId, settings })
  const by = { userId: 'U0ADA', name: 'Ada' }
  await setPromptMuted(contextOf(setup), { connectionId, channel: 'C0WINS', muted: true, by })
  return connectionId
}

/** The path of a link with which a member says that an account of a chat is theirs. */
export async function accountLink(setup: AuditSetup): Promise<string> {
  const connectionId = await chatConnection(setup)
  const account = { connectionId, userId: 'U0ADA', name: 'Ada' }
  return await createAccountLink({ ...contextOf(setup), baseUrl: '' }, account)
}

/** Gives the accounts of a team's members another name than the members have. */
export async function otherName({ app, team }: AuditSetup): Promise<void> {
  await app.sql`
    update accounts set name = 'Another name'
    where id in (select account_id from members where team_id = ${team.id})`
}

/** An account of a chat that is linked to the admin. */
export async function linkedAccount(
  setup: AuditSetup,
): Promise<{ connection: string; user: string }> {
  const path = await accountLink(setup)
  await setup.admin.post(path)
  const [row] = await setup.app.sql`
    select connection_id from chat_people where team_id = ${setup.team.id} and user_id = 'U0ADA'
    order by connection_id desc limit 1`
  return { connection: String(row?.['connection_id']), user: 'U0ADA' }
}
