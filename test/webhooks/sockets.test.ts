import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Socket } from '../../integrations/kit/socket.ts'
import { adapter } from '../../integrations/slack/adapter.ts'
import { listConnectionHealth, updateConnection } from '../../src/features/connections/index.ts'
import { acquireSocket } from '../../src/features/socket-leases/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { startSockets } from '../../src/webhooks/index.ts'
import { readContext, startApp, type TestApp } from '../support/app.ts'
import { startService } from '../support/processes/crash.ts'
import {
  type ConnectedTeam,
  connectTeam,
  startWorkspace,
  type Workspace,
} from '../support/slack/slack-workspace.ts'
import { until } from '../support/until.ts'

let workspace: Workspace
let app: TestApp
let running: { stop(): Promise<void> } | undefined

beforeAll(async () => {
  workspace = startWorkspace({ U0ADA: { name: 'Ada' } })
  app = await startApp({ adapters: [adapter] })
})
afterAll(async () => {
  await running?.stop()
  await app.close()
  workspace.stop()
})
beforeEach(async () => {
  await running?.stop()
  running = undefined
  await app.sql`update connections set removed_at = now(), encrypted = null where removed_at is null`
  await app.sql`delete from socket_leases`
  await until(async () => workspace.sockets.size === 0)
  workspace.reset()
  workspace.acknowledged.clear()
  Object.assign(workspace.hello, { isSent: true, count: 0 })
})

const options = () => ({
  baseUrl: app.base,
  allowedHosts: [new URL(workspace.apiUrl).host],
  tickMs: 20,
  firstRetryMs: 10,
})

/** A team whose connection asks for a socket, which is open. */
async function connected(deps = app.forwarder): Promise<ConnectedTeam> {
  const team = await connectTeam(app, workspace, { app_token: 'xapp-1-of-the-tests' })
  running = startSockets(deps, options())
  await untilOpen(team)
  return team
}

async function untilOpen({ connectionId }: ConnectedTeam): Promise<void> {
  const line = `"connection":"${connectionId}","msg":"the socket of a connection is open"`
  await until(async () => app.logLines.some((one) => one.includes(line)))
}

type ServerSocket = Workspace['sockets'] extends Set<infer Socket> ? Socket : never

let envelopes = 0

/** Sends a request over a socket as Slack does, and returns the id of its envelope. */
function push(type: string, payload: object, more: object = {}): string {
  const envelope_id = `envelope-${++envelopes}`
  const [socket] = workspace.sockets
  socket?.send(
    JSON.stringify({ type, envelope_id, payload, accepts_response_payload: true, ...more }),
  )
  return envelope_id
}

const win = (trigger: string) => ({
  command: '/win',
  text: 'We shipped it',
  user_id: 'U0ADA',
  user_name: 'ada',
  team_id: 'T0ACME',
  api_app_id: 'A0NEWS',
  channel_id: 'C0WINS',
  trigger_id: trigger,
  response_url: workspace.responseUrl,
})

const acknowledgedAs = async (id: string) => {
  await until(async () => workspace.acknowledged.has(id))
  return JSON.stringify(workspace.acknowledged.get(id))
}

const deliveries = async ({ team }: ConnectedTeam) =>
  (await app.sql`select id from deliveries where team_id = ${team.id}`).length

const titles = async ({ team }: ConnectedTeam) =>
  (
    await app.sql<{ title: string }[]>`select title from content_blocks where team_id = ${team.id}`
  ).map(({ title }) => title)

test('a command over a socket is acknowledged when it is stored, and becomes a block', async () => {
  const team = await connected()
  expect(await acknowledgedAs(push('slash_commands', win('t1')))).toContain('Saved.')
  expect(await deliveries(team)).toBe(1)
  await until(async () => (await titles(team)).length === 1)
  expect(await titles(team)).toEqual(['We shipped it'])
})

test('a request that Slack repeats, also over another socket, becomes one block', async () => {
  const team = await connected()
  await acknowledgedAs(push('slash_commands', win('t2')))
  for (const socket of workspace.sockets) {
    socket.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }))
  }
  await until(
    async () => workspace.calls.filter((call) => call === 'apps.connections.open').length >= 2,
  )
  await until(async () => workspace.sockets.size === 1)
  const again = push('slash_commands', win('t2'), { retry_attempt: 1, retry_reason: 'timeout' })
  await acknowledgedAs(again)
  expect(await deliveries(team)).toBe(1)
})

test.each([
  ['a warning', (socket: ServerSocket) => socket.send('{"type":"disconnect","reason":"warning"}')],
  ['no notice', (socket: ServerSocket) => socket.terminate()],
])(
  'a socket that Slack closes with %s is opened again, and what was under way is stored once',
  async (notice, close) => {
    const team = await connected()
    push('slash_commands', win(notice))
    for (const socket of workspace.sockets) close(socket)
    await until(async () => openings() >= 2)
    await until(async () => workspace.sockets.size === 1)
    const again = push('slash_commands', win(notice), { retry_attempt: 1 })
    await acknowledgedAs(again)
    expect(await deliveries(team)).toBe(1)
  },
)

test('an envelope that Slack sends twice at the same moment is acknowledged twice and stored once', async () => {
  const team = await connected()
  const envelopes = [push('slash_commands', win('t6')), push('slash_commands', win('t6'))]
  for (const id of envelopes) await acknowledgedAs(id)
  expect(await deliveries(team)).toBe(1)
  await until(async () => (await titles(team)).length === 1)
})

test('a request that was acknowledged becomes one block although SIGKILL ends the process at once', async () => {
  const team = await connectTeam(app, workspace, { app_token: 'xapp-1-of-the-tests' })
  const service = await startService(app)
  try {
    await until(async () => workspace.sockets.size === 1)
    const ids = ['t7', 't8', 't9'].map((trigger) => push('slash_commands', win(trigger)))
    workspace.onAcknowledged(() => service.process.kill('SIGKILL'))
    await service.process.exited
    const acknowledged = ids.filter((id) => workspace.acknowledged.has(id))
    expect(acknowledged.length).toBeGreaterThan(0)
    workspace.onAcknowledged(() => {})
    await app.sql`update socket_leases set held_until = now() - interval '1 second'`
    await app.sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`
    running = startSockets(app.forwarder, options())
    await until(async () => workspace.sockets.size === 1)
    const repeated = ['t7', 't8', 't9'].filter(
      (_, index) => !acknowledged.includes(ids[index] ?? ''),
    )
    for (const trigger of repeated)
      await acknowledgedAs(push('slash_commands', win(trigger), { retry_attempt: 1 }))
    await until(async () => (await titles(team)).length === 3)
    expect(await deliveries(team)).toBe(3)
  } finally {
    service.process.kill('SIGKILL')
  }
})

test('a request that cannot be stored is not acknowledged, and is stored when Slack repeats it', async () => {
  let isFull = true
  const { queue } = app.forwarder
  const add: typeof queue.add = async (...job) => {
    if (isFull) throw new Error('the disk is full')
    await queue.add(...job)
  }
  const team = await connected({ ...app.forwarder, queue: { ...queue, add } })
  const first = push('slash_commands', win('t3'))
  await until(async () =>
    app.logLines.some((line) => line.includes('over a socket was not stored')),
  )
  expect(await deliveries(team)).toBe(0)
  isFull = false
  await acknowledgedAs(push('slash_commands', win('t3'), { retry_attempt: 1 }))
  expect(workspace.acknowledged.has(first)).toBe(false)
  expect(await deliveries(team)).toBe(1)
})

test('a request of another workspace over the socket saves nothing', async () => {
  const team = await connected()
  await acknowledgedAs(push('slash_commands', win('t4')))
  await acknowledgedAs(push('slash_commands', { ...win('t5'), team_id: 'T0OTHER' }))
  await until(async () => (await titles(team)).length > 0)
  expect(await titles(team)).toHaveLength(1)
})

test('a process that dies loses its socket to another one, and two never have it', async () => {
  await connectTeam(app, workspace, { app_token: 'xapp-1-of-the-tests' })
  const service = await startService(app)
  try {
    await until(async () => workspace.sockets.size === 1)
    running = startSockets(app.forwarder, options())
    const leases = () => app.sql<{ holder: string }[]>`select holder from socket_leases`
    const [before] = await leases()
    service.process.kill('SIGKILL')
    await service.process.exited
    await until(async () => workspace.sockets.size === 0)
    // The other process waits for the end of the lease.
    await app.sql`update socket_leases set held_until = now() - interval '1 second'`
    await until(async () => workspace.sockets.size === 1)
    const [after] = await leases()
    expect(after?.holder).not.toBe(before?.holder ?? '')
    expect(workspace.calls.filter((call) => call === 'apps.connections.open')).toHaveLength(2)
  } finally {
    service.process.kill('SIGKILL')
  }
})

test('a process closes its socket when another one has taken it meanwhile, because the lease had ended', async () => {
  const { connectionId } = await connected()
  // As after a process has stood still for longer than its lease.
  await app.sql`
    update socket_leases set holder = 'another process', held_until = now() + interval '1 hour'
    where connection_id = ${connectionId}`
  await until(async () => workspace.sockets.size === 0)
  expect(openings()).toBe(1)
})

test('a socket that is closed soon after it was opened is opened again later, as after an attempt that failed', async () => {
  await connectionWith('xapp-1-of-the-tests')
  running = startSockets(app.forwarder, { ...options(), firstRetryMs: 3_600_000 })
  await until(async () => workspace.sockets.size === 1)
  for (const socket of workspace.sockets) socket.terminate()
  await until(async () => workspace.sockets.size === 0)
  // All connections are looked at together: when this one has its socket, the other would have got one again.
  await untilOpen(await connectionWith('xapp-2-of-the-tests'))
  expect(openings()).toBe(2)
})

test('the page of a connection says that Slack refuses the app-level token, until it is replaced', async () => {
  workspace.failures.set('apps.connections.open', 'token_revoked')
  const { team } = await connectTeam(app, workspace, { app_token: 'xapp-1-of-the-tests' })
  running = startSockets(app.forwarder, options())
  const reason = async () => (await listConnectionHealth(readContext(app, team)))[0]?.reason
  await until(async () => (await reason()) !== null)
  expect(await reason()).toContain('Slack refused the app-level token (token_revoked).')
  workspace.failures.clear()
  await until(async () => workspace.sockets.size === 1)
  await until(async () => (await reason()) === null)
})

test('a socket leads to Slack or to a host that the operator allows, and to no other', async () => {
  const { team } = await connectTeam(app, workspace, { app_token: 'xapp-1-of-the-tests' })
  running = startSockets(app.forwarder, { ...options(), allowedHosts: [] })
  const reason = async () => (await listConnectionHealth(readContext(app, team)))[0]?.reason
  await until(async () => (await reason()) !== null)
  expect(await reason()).toContain('The address of the socket does not belong to Slack.')
  expect(workspace.sockets.size).toBe(0)
})

test('the token of a socket is encrypted and in no log', async () => {
  const { connectionId } = await connected()
  const [row] = await app.sql`
    select settings::text, encrypted from connections where id = ${connectionId}`
  expect(`${row?.['settings']} ${row?.['encrypted'].toString('latin1')}`).not.toContain('xapp-')
  expect(app.logLines.join('\n')).not.toContain('xapp-')
})

const connectionWith = (app_token: string) => connectTeam(app, workspace, { app_token })
const openings = () => workspace.calls.filter((call) => call === 'apps.connections.open').length

/** The dependencies with an adapter whose sockets open as `open` says; `proceed` opens the real one. */
function withSocket(
  open: (token: string, proceed: () => Promise<Socket>, signal: AbortSignal) => Promise<Socket>,
): typeof app.forwarder {
  const { socket } = adapter
  if (!socket) throw new Error('the adapter has no sockets')
  const controlled: typeof socket = {
    ...socket,
    open: (context) =>
      open(context.settings.app_token?.[0] ?? '', () => socket.open(context), context.signal),
  }
  return {
    ...app.forwarder,
    adapters: new Map([['slack', { ...adapter, socket: controlled }]]),
  }
}

const healthOf = async ({ team }: ConnectedTeam) =>
  (await listConnectionHealth(readContext(app, team)))[0]

/** Waits until the lease of a connection was renewed. */
async function renewal({ connectionId }: ConnectedTeam): Promise<void> {
  await app.sql`update socket_leases set held_until = now() where connection_id = ${connectionId}`
  await until(async () => {
    const [row] = await app.sql`
      select from socket_leases where connection_id = ${connectionId} and held_until > clock_timestamp()`
    return row !== undefined
  })
}

test('a socket whose provider does not respond delays neither other sockets nor their leases', async () => {
  const [slow, other] = [
    await connectionWith('xapp-that-waits'),
    await connectionWith('xapp-1-of-the-tests'),
  ]
  const attempts: string[] = []
  const deps = withSocket(async (token, proceed, signal) => {
    attempts.push(token)
    return token === 'xapp-that-waits' ? await aborted(signal) : await proceed()
  })
  running = startSockets(deps, options())
  await until(async () => workspace.sockets.size === 1)
  for (const team of [slow, other, slow, other]) await renewal(team)
  expect(attempts.toSorted()).toEqual(['xapp-1-of-the-tests', 'xapp-that-waits'])
})

/** Rejects when the attempt ends. */
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('a connection whose lease cannot be renewed opens no second socket of another connection', async () => {
  const [broken, other] = [
    await connectionWith('xapp-1-of-the-tests'),
    await connectionWith('xapp-that-waits'),
  ]
  await app.sql.unsafe(`
    create function refuse_lease() returns trigger language plpgsql as $$
      begin if new.connection_id = '${broken.connectionId}' then raise 'no lease'; end if; return new; end $$;
    create trigger refuse_lease before insert on socket_leases for each row execute function refuse_lease()`)
  try {
    const go = Promise.withResolvers<void>()
    const deps = withSocket(async (_, proceed) => {
      await go.promise
      return await proceed()
    })
    running = startSockets(deps, options())
    for (const _ of Array(3)) await renewal(other)
    go.resolve()
    await until(async () => workspace.sockets.size === 1)
    await renewal(other)
    expect(openings()).toBe(1)
  } finally {
    await app.sql.unsafe('drop function refuse_lease cascade')
  }
})

test('a socket that could not be opened says nothing about the one that another process has opened', async () => {
  const team = await connectionWith('xapp-that-waits')
  const attempt = Promise.withResolvers<void>()
  const deps = withSocket(async () => {
    await attempt.promise
    throw new Error('too late')
  })
  running = startSockets(deps, { ...options(), tickMs: 60_000 })
  await renewalBy('another process', team)
  attempt.resolve()
  await until(async () => app.logLines.some((line) => line.includes('too late')))
  expect((await healthOf(team))?.reason).toBeNull()
})

async function renewalBy(holder: string, { connectionId }: ConnectedTeam): Promise<void> {
  await until(async () => {
    const rows = await app.sql`
      update socket_leases set holder = ${holder} where connection_id = ${connectionId} returning holder`
    return rows.length > 0
  })
}

test('a connection whose token of the socket was removed is not failing any more, and has no lease', async () => {
  workspace.failures.set('apps.connections.open', 'token_revoked')
  const team = await connectionWith('xapp-1-of-the-tests')
  running = startSockets(app.forwarder, options())
  await until(async () => (await healthOf(team))?.state === 'failing')
  const ctx = systemContext(app.forwarder, team.team.id)
  await updateConnection(ctx, { adapter, id: team.connectionId, given: { app_token: '' } })
  await until(async () => (await app.sql`select from socket_leases`).length === 0)
  expect((await healthOf(team))?.state).toBe('waiting')
})

test('why a socket could not be opened is shown only while a process tries to open it', async () => {
  workspace.failures.set('apps.connections.open', 'token_revoked')
  const team = await connectionWith('xapp-1-of-the-tests')
  running = startSockets(app.forwarder, options())
  await until(async () => (await healthOf(team))?.state === 'failing')
  await running.stop()
  // What a process leaves behind that was killed.
  await app.sql`
    insert into socket_leases (team_id, connection_id, holder, held_until, problem)
    values (${team.team.id}, ${team.connectionId}, 'a dead process', now(), 'Slack refused it.')`
  expect((await healthOf(team))?.state).toBe('waiting')
})

test('connections without a socket are read once only, also those that an earlier version has stored', async () => {
  const others = [await connectTeam(app, workspace), await connectTeam(app, workspace)]
  const team = await connectionWith('xapp-1-of-the-tests')
  await app.sql`update connections set uses_socket = null`
  const read: string[] = []
  const { encryption } = app.forwarder
  const decrypt: typeof encryption.decrypt = (context, value) => {
    read.push(context)
    return encryption.decrypt(context, value)
  }
  running = startSockets({ ...app.forwarder, encryption: { ...encryption, decrypt } }, options())
  for (const _ of Array(3)) await renewal(team)
  for (const { connectionId } of others)
    expect(read.filter((one) => one === `connections/${connectionId}`)).toHaveLength(1)
  const [first] = others
  if (!first) throw new Error('there is no other connection')
  const ctx = systemContext(app.forwarder, first.team.id)
  const given = { app_token: 'xapp-2-of-the-tests' }
  await updateConnection(ctx, { adapter, id: first.connectionId, given })
  await until(async () => workspace.sockets.size === 2)
})

test('a new token of a socket is tried at once, however often the one before has failed', async () => {
  workspace.failures.set('apps.connections.open', 'token_revoked')
  const team = await connectionWith('xapp-0-of-the-tests')
  running = startSockets(app.forwarder, { ...options(), firstRetryMs: 600_000 })
  await until(async () => (await healthOf(team))?.state === 'failing')
  workspace.failures.clear()
  const ctx = systemContext(app.forwarder, team.team.id)
  const given = { app_token: 'xapp-1-of-the-tests' }
  await updateConnection(ctx, { adapter, id: team.connectionId, given })
  await until(async () => workspace.sockets.size === 1)
})

test('a process whose clock is ahead does not take the socket of another one', async () => {
  const { team, connectionId } = await connected()
  const ahead = { ...app.forwarder, now: () => new Date(Date.now() + 3_600_000) }
  const owner = { teamId: team.id, connectionId, holder: 'another process' }
  expect(await acquireSocket(ahead, { ...owner, leaseMs: 15_000 })).toBe(false)
})

test('an attempt that ends before Slack has responded opens no socket afterwards', async () => {
  await connectionWith('xapp-1-of-the-tests')
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const outbound: typeof app.forwarder.outbound = async (url, init) => {
    const { signal: _, ...rest } = init ?? {}
    asked.resolve()
    await answered.promise
    return await app.forwarder.outbound(url, rest)
  }
  running = startSockets({ ...app.forwarder, outbound }, options())
  await asked.promise
  const stopping = running.stop()
  answered.resolve()
  await stopping
  await until(async () => openings() === 1)
  expect(workspace.hello.count).toBe(0)
})

test('a socket that does not greet is given up, and tried again', async () => {
  const team = await connectionWith('xapp-1-of-the-tests')
  workspace.hello.isSent = false
  running = startSockets(app.forwarder, { ...options(), openTimeoutMs: 50 })
  await until(async () => (await healthOf(team))?.state === 'failing')
  workspace.hello.isSent = true
  await until(async () => workspace.hello.count > 0)
})
