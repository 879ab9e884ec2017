import type { Scope } from '../../src/contract/vocabulary.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { client, type TestApp } from './app.ts'
import type { Person } from './console.ts'

export type Call = ReturnType<typeof client>

/** A client that may do everything and takes a new key before the rate limit ends the old one. */
export async function unlimitedClient(
  app: TestApp,
  team: Team,
  scopes: Scope[] = ['read', 'write', 'send_preview'],
): Promise<Call> {
  let calls = 0
  let current = app.key(team, scopes)
  return async (...request) => {
    if (++calls % 55 === 0) current = app.key(team, scopes)
    return await client(app.base, await current)(...request)
  }
}

/** A new block of a team; ready unless said otherwise. Gives its id. */
export async function blockOf(call: Call, changes: Record<string, unknown> = {}): Promise<string> {
  const block = { title: 'A story', body: 'Something happened.', status: 'ready', ...changes }
  return (await call('POST', '/content_blocks', block)).json.content_block.id
}

/** A new newsletter that lacks nothing but blocks, with these blocks in it. Gives its path. */
export async function newsletterOf(
  call: Call,
  blocks: readonly string[] = [],
  changes: Record<string, unknown> = {},
): Promise<string> {
  const newsletter = { title: 'November', subject_line: 'What November brought', ...changes }
  const { json } = await call('POST', '/newsletters', newsletter)
  const path = `/newsletters/${json.newsletter.id}`
  for (const content_block_id of blocks) await call('POST', `${path}/blocks`, { content_block_id })
  return path
}

/** What a page of a newsletter sends about what it shows. */
export function shownFields(html: string) {
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
  return {
    version: field('version'),
    preview_hash: field('preview_hash'),
    preview_day: field('preview_day'),
  }
}

/** What the page of a newsletter sends with the button that approves it, in a team that requires that. */
export const approvalForm = async (who: Person, path: string) =>
  shownFields((await who.get(path)).html)

/** Takes a newsletter with blocks all the way to `sent`. */
export async function send(call: Call, path: string): Promise<void> {
  await call('PATCH', path, { status: 'ready' })
  const { status, text } = await call('PATCH', path, { status: 'sent' })
  if (status !== 200) throw new Error(text)
}

/** Approves the blocks of a team and sends them in a newsletter. Gives its path. */
export async function publishBlocks(
  app: TestApp,
  team: Team,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const call = await unlimitedClient(app, team)
  const rows = await app.sql<{ id: string }[]>`
    select id from content_blocks where team_id = ${team.id} order by id`
  const ids = rows.map(({ id }) => id)
  for (const id of ids) await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
  const path = await newsletterOf(call, ids, changes)
  await send(call, path)
  return path
}

/** The titles of the blocks, and the headings or types of the elements, in the order in which they are read. */
export async function readingOrder(call: Call, path: string): Promise<string[]> {
  const { blocks, elements } = (await call('GET', path)).json.newsletter
  const before = (position: number) =>
    elements
      .filter((one: { before_position: number }) => one.before_position === position)
      .map((one: { heading: string | null; type: string }) => one.heading ?? one.type)
  return [
    ...blocks.flatMap((block: { position: number; content_block: { title: string } }) => [
      ...before(block.position),
      block.content_block.title,
    ]),
    ...before(blocks.length + 1),
  ]
}
