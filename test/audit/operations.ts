import { adapter as github } from '../../integrations/github/adapter.ts'
import type { AuditAction } from '../../src/features/audit-log/index.ts'
import { createConnection } from '../../src/features/connections/index.ts'
import { storeIgnored } from '../../src/features/deliveries/index.ts'
import { createEvent } from '../../src/features/events/index.ts'
import { addMember, inviteMember, type Member } from '../../src/features/members/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { type Context, systemContext } from '../../src/lib/context.ts'
import type { client, TestApp } from '../support/app.ts'
import type { Installation } from '../support/cli.ts'
import type { Person } from '../support/console.ts'

/** What the operations of the test work with: one team, seen by a key, an admin and the command line. */
export interface World {
  app: TestApp
  team: Team
  api: ReturnType<typeof client>
  admin: Person
  tidings: Installation['tidings']
}

/** A change that is in the audit log. */
export interface RecordedOperation {
  /** The actions of the entries that the operation writes, in their order. */
  actions: readonly AuditAction[]
  /** Creates what the operation needs and returns the operation; it can run again when it has failed. */
  prepare(world: World): Promise<() => Promise<unknown>>
}

/** An operation is recorded, or it has a reason why the audit log has no entry. */
export type OperationCase = RecordedOperation | string

/** An operation whose preparation returns what it needs. */
const recorded = <Needed>(
  actions: readonly AuditAction[],
  prepare: (world: World) => Promise<Needed>,
  run: (world: World, needed: Needed) => Promise<unknown>,
): RecordedOperation => ({
  actions,
  async prepare(world) {
    const needed = await prepare(world)
    return () => run(world, needed)
  },
})

/** An operation that needs nothing. */
const direct = (
  actions: readonly AuditAction[],
  run: (world: World) => Promise<unknown>,
): RecordedOperation => recorded(actions, async () => {}, run)

const contextOf = ({ app, team }: World): Context =>
  systemContext({ sql: app.sql, now: systemClock }, team.id)

const text = { title: 'A block', body: 'Some text.', block_type: 'general' }

async function newBlock({ api }: World, status = 'draft'): Promise<string> {
  return (await api('POST', '/content_blocks', { ...text, status })).json.content_block.id
}

async function newNewsletter({ api }: World): Promise<string> {
  const input = { title: 'News', subject_line: 'What is new' }
  return (await api('POST', '/newsletters', input)).json.newsletter.id
}

interface Filled {
  id: string
  blockIds: string[]
}

/** A newsletter with two ready blocks. */
async function filledNewsletter(world: World): Promise<Filled> {
  const id = await newNewsletter(world)
  const blockIds: string[] = []
  for (const _ of [1, 2]) {
    const content_block_id = await newBlock(world, 'ready')
    const { json } = await world.api('POST', `/newsletters/${id}/blocks`, { content_block_id })
    blockIds.push(json.newsletter_block.id)
  }
  return { id, blockIds }
}

async function readyNewsletter(world: World): Promise<string> {
  const { id } = await filledNewsletter(world)
  await world.api('PATCH', `/newsletters/${id}`, { status: 'ready' })
  return id
}

/** An AI draft first, so that the counter of the month exists. */
async function firstDraft({ api }: World): Promise<void> {
  await api('POST', '/content_blocks/ai_draft', { context: 'We signed Harbour Bank.' })
}

async function newEvent(world: World): Promise<string> {
  const slug = `event-${crypto.randomUUID()}`
  await createEvent(contextOf(world), { ...eventFields, slug, recurs: false })
  return slug
}

const eventFields = {
  ...{ name: 'Open day', event_date: '2027-05-01', category: 'corporate' as const },
  ...{ description: null, suggested_content: null },
}

async function newConnection(world: World) {
  const { forwarder } = world.app
  const given = { secret: 'a secret of a test' }
  const input = { kind: github, given, unshown: ['secret'] }
  return await createConnection(systemContext(forwarder, world.team.id), input)
}

const connectionId = async (world: World) => (await newConnection(world)).id

async function ignoredDelivery(world: World): Promise<string> {
  const { id, apiKeyId } = await newConnection(world)
  const source = { teamId: world.team.id, id, apiKey: { id: apiKeyId } }
  const event = { deliveryId: crypto.randomUUID(), reason: 'A test.', event: {} }
  return (await storeIgnored(world.app.forwarder, source, event)) ?? ''
}

async function newMember(world: World): Promise<Member> {
  const email = `${crypto.randomUUID()}@people.test`
  return await addMember(contextOf(world), { email, name: 'Bea', role: 'viewer' })
}

async function keyId({ app, team }: World): Promise<string> {
  await app.key(team, ['read'], { name: 'A key' })
  const [key] = await app.sql<{ id: string }[]>`
    select id from api_keys where team_id = ${team.id} order by id desc limit 1`
  return key?.id ?? ''
}

const noteOf = (test: string) => `The entry concerns an account: ${test} covers it.`
const accountTest = noteOf('test/features/account-audit.test.ts')
const signInTest = noteOf('test/console/sign-in.test.ts')
const peopleTest = noteOf('test/console/people.test.ts')

/** Every operation of the API that changes data. */
export const apiOperations: Record<string, OperationCase | readonly RecordedOperation[]> = {
  'POST /api/v1/webhooks/ingest': 'The block records its key and its source.',
  'POST /api/v1/webhooks/ingest/bulk': 'Each block records its key and its source.',
  'POST /api/v1/content_blocks': direct(['block_created'], ({ api }) =>
    api('POST', '/content_blocks', text),
  ),
  'PATCH /api/v1/content_blocks/:id': [
    recorded(['block_updated'], newBlock, ({ api }, id) =>
      api('PATCH', `/content_blocks/${id}`, { title: 'Another title' }),
    ),
    recorded(['block_reviewed'], newBlock, ({ api }, id) =>
      api('PATCH', `/content_blocks/${id}`, { status: 'ready' }),
    ),
  ],
  'DELETE /api/v1/content_blocks/:id': recorded(['block_deleted'], newBlock, ({ api }, id) =>
    api('DELETE', `/content_blocks/${id}`),
  ),
  'POST /api/v1/content_blocks/ai_draft': recorded(['block_created'], firstDraft, ({ api }) =>
    api('POST', '/content_blocks/ai_draft', { context: 'We signed Harbour Bank.' }),
  ),
  'POST /api/v1/events': direct(['event_created'], ({ api }) =>
    api('POST', '/events', { ...eventFields, slug: 'open-day-by-key' }),
  ),
  'PATCH /api/v1/events/:slug': recorded(['event_updated'], newEvent, ({ api }, slug) =>
    api('PATCH', `/events/${slug}`, { name: 'Another day' }),
  ),
  'DELETE /api/v1/events/:slug': recorded(['event_deleted'], newEvent, ({ api }, slug) =>
    api('DELETE', `/events/${slug}`),
  ),
  'POST /api/v1/images': direct(['image_uploaded'], async ({ api }) => {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    return await api('POST', '/images', { image: `data:image/png;base64,${pixel}` })
  }),
  'POST /api/v1/newsletters': direct(['newsletter_created'], ({ api }) =>
    api('POST', '/newsletters', { title: 'News' }),
  ),
  'PATCH /api/v1/newsletters/:id': [
    recorded(['newsletter_updated'], newNewsletter, ({ api }, id) =>
      api('PATCH', `/newsletters/${id}`, { title: 'Other news' }),
    ),
    recorded(['newsletter_sent'], readyNewsletter, ({ api }, id) =>
      api('PATCH', `/newsletters/${id}`, { status: 'sent' }),
    ),
  ],
  'DELETE /api/v1/newsletters/:id': recorded(['newsletter_deleted'], newNewsletter, ({ api }, id) =>
    api('DELETE', `/newsletters/${id}`),
  ),
  'POST /api/v1/newsletters/:id/blocks': recorded(
    ['newsletter_updated'],
    async (world) => ({ id: await newNewsletter(world), blockId: await newBlock(world) }),
    ({ api }, { id, blockId }) =>
      api('POST', `/newsletters/${id}/blocks`, { content_block_id: blockId }),
  ),
  'PATCH /api/v1/newsletters/:id/blocks/reorder': recorded(
    ['newsletter_updated'],
    filledNewsletter,
    ({ api }, { id, blockIds }) =>
      api('PATCH', `/newsletters/${id}/blocks/reorder`, { block_ids: blockIds.toReversed() }),
  ),
  'DELETE /api/v1/newsletters/:id/blocks/:newsletter_block_id': recorded(
    ['newsletter_updated'],
    filledNewsletter,
    ({ api }, { id, blockIds }) => api('DELETE', `/newsletters/${id}/blocks/${blockIds[0]}`),
  ),
  'POST /api/v1/newsletters/:id/compose': recorded(
    ['newsletter_updated'],
    async (world) => {
      await newBlock(world, 'ready')
      return await newNewsletter(world)
    },
    ({ api }, id) => api('POST', `/newsletters/${id}/compose`, {}),
  ),
  'POST /api/v1/newsletters/:id/send_preview': recorded(
    ['preview_sent'],
    newNewsletter,
    ({ api }, id) => api('POST', `/newsletters/${id}/send_preview`, {}),
  ),
}

/** Every form of the console, and the pages that export. */
export const consoleOperations: Record<string, OperationCase> = {
  'POST /login': signInTest,
  'POST /logout': signInTest,
  'POST /login/continue': signInTest,
  'POST /setup/:token': noteOf('test/console/setup.test.ts'),
  'POST /forgot': 'It sends an email and changes no data of a team.',
  'POST /reset/:token': accountTest,
  'POST /join/:token': peopleTest,
  'POST /welcome': direct(['key_created'], ({ admin }) => admin.post('/welcome')),
  'POST /newsletters': direct(['newsletter_created'], ({ admin }) =>
    admin.post('/newsletters', { title: 'News', template_slug: 'clean' }),
  ),
  'POST /newsletters/:id': recorded(['newsletter_updated'], newNewsletter, ({ admin }, id) =>
    admin.post(`/newsletters/${id}`, { title: 'Other news', original_title: 'News' }),
  ),
  'POST /newsletters/:id/status': recorded(['newsletter_updated'], newNewsletter, ({ admin }, id) =>
    admin.post(`/newsletters/${id}/status`, { to: 'in_progress', version: '1' }),
  ),
  'POST /newsletters/:id/blocks': recorded(
    ['newsletter_updated'],
    async (world) => ({ id: await newNewsletter(world), blockId: await newBlock(world) }),
    ({ admin }, { id, blockId }) => admin.post(`/newsletters/${id}/blocks`, { add: blockId }),
  ),
  'POST /newsletters/:id/order': recorded(
    ['newsletter_updated'],
    filledNewsletter,
    ({ admin }, { id, blockIds }) =>
      admin.post(`/newsletters/${id}/order`, { remove: blockIds[0] ?? '' }),
  ),
  'POST /newsletters/:id/compose': recorded(
    ['newsletter_updated'],
    async (world) => {
      await newBlock(world, 'ready')
      return await newNewsletter(world)
    },
    ({ admin }, id) => admin.post(`/newsletters/${id}/compose`),
  ),
  'POST /newsletters/:id/preview': recorded(['preview_sent'], newNewsletter, ({ admin }, id) =>
    admin.post(`/newsletters/${id}/preview`),
  ),
  'POST /newsletters/:id/delete': recorded(['newsletter_deleted'], newNewsletter, ({ admin }, id) =>
    admin.post(`/newsletters/${id}/delete`),
  ),
  'GET /newsletters/:id/eml': recorded(['newsletter_exported'], newNewsletter, ({ admin }, id) =>
    admin.get(`/newsletters/${id}/eml`),
  ),
  'GET /newsletters/:id/html?file': recorded(
    ['newsletter_exported'],
    newNewsletter,
    ({ admin }, id) => admin.get(`/newsletters/${id}/html?file`),
  ),
  'GET /newsletters/:id/html?copy': recorded(
    ['newsletter_exported'],
    newNewsletter,
    ({ admin }, id) => admin.get(`/newsletters/${id}/html?copy`),
  ),
  'POST /account': direct(['account_renamed'], ({ admin }) =>
    admin.post('/account', { name: 'Ada' }),
  ),
  'POST /account/password': accountTest,
  'POST /account/sign-out-everywhere': accountTest,
  'POST /account/team': 'It selects the team of the session and changes no data of a team.',
  'POST /account/sessions/:id/end': accountTest,
  'POST /account/sessions/end-others': accountTest,
  'POST /library/bulk': recorded(['block_reviewed'], newBlock, ({ admin }, id) =>
    admin.post('/library/bulk', { to: 'ready', 'ids[]': [id] }),
  ),
  'POST /library/:id/status': recorded(['block_reviewed'], newBlock, ({ admin }, id) =>
    admin.post(`/library/${id}/status`, { to: 'ready' }),
  ),
  'POST /library/:id/delete': recorded(['block_deleted'], newBlock, ({ admin }, id) =>
    admin.post(`/library/${id}/delete`),
  ),
  'POST /library/:id/restore': recorded(
    ['block_restored'],
    async (world) => {
      const id = await newBlock(world)
      await world.admin.post(`/library/${id}/delete`)
      return id
    },
    ({ admin }, id) => admin.post(`/library/${id}/restore`),
  ),
  'POST /library/new': direct(['block_created'], ({ admin }) => admin.post('/library/new', text)),
  'POST /library/:id/edit': recorded(['block_updated'], newBlock, ({ admin }, id) =>
    admin.post(`/library/${id}/edit`, { ...text, title: 'Another title', version: '1' }),
  ),
  'POST /library/draft': recorded(['block_created'], firstDraft, ({ admin }) =>
    admin.post('/library/draft', { context: 'We signed Harbour Bank.', draft_type: 'general' }),
  ),
  'POST /events': direct(['event_created'], ({ admin }) =>
    admin.post('/events', { name: 'Open day', event_date: '2027-05-01', category: 'corporate' }),
  ),
  'POST /events/:id': recorded(['event_updated'], newEvent, ({ admin }, slug) =>
    admin.post(`/events/${slug}`, {
      ...{ name: 'Another day', event_date: '2027-05-01', category: 'corporate' },
    }),
  ),
  'POST /events/:id/delete': recorded(['event_deleted'], newEvent, ({ admin }, slug) =>
    admin.post(`/events/${slug}/delete`),
  ),
  'POST /integrations/connect/:slug': direct(['connection_created'], ({ admin }) =>
    admin.post('/integrations/connect/github', { secret: 'a secret of a test' }),
  ),
  'POST /integrations/:id/reveal': recorded(
    ['connection_secret_shown'],
    connectionId,
    ({ admin }, id) => admin.post(`/integrations/${id}/reveal`),
  ),
  'POST /integrations/:id/rotate-key': recorded(
    ['connection_key_rotated'],
    connectionId,
    ({ admin }, id) => admin.post(`/integrations/${id}/rotate-key`),
  ),
  'POST /integrations/:id/settings': recorded(
    ['connection_changed'],
    connectionId,
    ({ admin }, id) => admin.post(`/integrations/${id}/settings`, { repositories: 'acme/web' }),
  ),
  'POST /integrations/:id/remove': recorded(['connection_removed'], connectionId, ({ admin }, id) =>
    admin.post(`/integrations/${id}/remove`),
  ),
  'POST /integrations/deliveries/:id/replay': recorded(
    ['delivery_replayed'],
    ignoredDelivery,
    ({ admin }, id) => admin.post(`/integrations/deliveries/${id}/replay`),
  ),
  'POST /integrations/:id/try': 'It shows what a request would become and stores nothing.',
  'POST /settings/team': direct(['team_changed'], ({ admin }) =>
    admin.post('/settings/team', {
      ...{ name: 'Renamed', brand_color: '#112233', newsletter_cadence: 'monthly' },
    }),
  ),
  'POST /settings/members': direct(['member_added', 'member_invited'], ({ admin }) =>
    admin.post('/settings/members', { email: 'cy@people.test', name: 'Cy', role: 'viewer' }),
  ),
  'POST /settings/members/:id/invite': recorded(
    ['member_invited'],
    newMember,
    ({ admin }, { id }) => admin.post(`/settings/members/${id}/invite`),
  ),
  'POST /settings/members/:id/role': recorded(
    ['member_role_changed'],
    newMember,
    ({ admin }, { id }) => admin.post(`/settings/members/${id}/role`, { role: 'editor' }),
  ),
  'POST /settings/members/:id/remove': recorded(
    ['member_removed'],
    async (world) => {
      const member = await newMember(world)
      await inviteMember(contextOf(world), member)
      return member
    },
    ({ admin }, { id }) => admin.post(`/settings/members/${id}/remove`),
  ),
  'POST /settings/members/:id/password': accountTest,
  'POST /settings/keys': direct(['key_created'], ({ admin }) =>
    admin.post('/settings/keys', { name: 'A key', 'scopes[]': ['read'] }),
  ),
  'POST /settings/keys/:id/revoke': recorded(['key_revoked'], keyId, ({ admin }, id) =>
    admin.post(`/settings/keys/${id}/revoke`),
  ),
  'POST /settings/keys/:id/rotate': recorded(['key_rotated'], keyId, ({ admin }, id) =>
    admin.post(`/settings/keys/${id}/rotate`, { grace: '1' }),
  ),
}

const team = (world: World) => ['--team', world.team.slug] as const
const reads = 'It reads data.'
const allTeams = 'It concerns the installation, not one team, and needs access to the server.'

/** Every command of the command line. */
export const cliOperations: Record<string, OperationCase> = {
  'team create': direct(['team_created'], ({ tidings }) =>
    tidings('team', 'create', '--slug', 'globex', '--name', 'Globex'),
  ),
  'team list': reads,
  'member add': direct(['member_added'], (world) =>
    world.tidings('member', 'add', ...team(world), '--email', 'di@people.test', '--name', 'Di'),
  ),
  'member link': recorded(['member_invited'], newMember, (world, { email }) =>
    world.tidings('member', 'link', ...team(world), '--email', email),
  ),
  'member list': reads,
  'member remove': recorded(['member_removed'], newMember, (world, { email }) =>
    world.tidings('member', 'remove', ...team(world), '--email', email),
  ),
  'key create': direct(['key_created'], (world) =>
    world.tidings('key', 'create', ...team(world), '--name', 'ci', '--scopes', 'read'),
  ),
  'key list': reads,
  'key revoke': recorded(['key_revoked'], keyId, (world, id) =>
    world.tidings('key', 'revoke', ...team(world), '--key', id),
  ),
  'adapter list': reads,
  'adapter try': 'It shows what a request would become and stores nothing.',
  'connection create': direct(['connection_created'], (world) =>
    world.tidings(
      'connection',
      'create',
      ...team(world),
      '--adapter',
      'github',
      '--set',
      'secret=x',
    ),
  ),
  'connection set': recorded(['connection_changed'], connectionId, (world, id) =>
    world.tidings(
      'connection',
      'set',
      ...team(world),
      '--id',
      id,
      '--set',
      'repositories=acme/web',
    ),
  ),
  'connection show': reads,
  'connection list': reads,
  'connection remove': recorded(['connection_removed'], connectionId, (world, id) =>
    world.tidings('connection', 'remove', ...team(world), '--id', id),
  ),
  'connection rotate-key': recorded(['connection_key_rotated'], connectionId, (world, id) =>
    world.tidings('connection', 'rotate-key', ...team(world), '--id', id),
  ),
  'delivery list': reads,
  'delivery show': reads,
  'delivery replay': recorded(['delivery_replayed'], ignoredDelivery, (world, id) =>
    world.tidings('delivery', 'replay', ...team(world), '--id', id),
  ),
  demo: 'It creates a new team with the functions of the other operations.',
  migrate: allTeams,
  'secret rotate': allTeams,
  'secret replace': allTeams,
  backup: allTeams,
  restore: allTeams,
  complete: 'It prints a script for the shell.',
}
