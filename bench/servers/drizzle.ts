/**
 * The second baseline: an application as a good engineer writes it in a day. Elysia, drizzle, a key
 * look-up, an in-memory limiter of fixed windows, Valibot, sanitize-html. The environment gives its
 * DATABASE (an address as JSON); it prints its port.
 */
import { createHash } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { drizzle } from 'drizzle-orm/postgres-js'
import { Elysia } from 'elysia'
import postgres from 'postgres'
import sanitizeHtml from 'sanitize-html'
import * as v from 'valibot'

const keys = pgTable('drizzle_keys', {
  hash: text('hash').primaryKey(),
  teamId: text('team_id').notNull(),
})
const teams = pgTable('bare_teams', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  slug: text('slug').notNull(),
})
const blocks = pgTable('bare_blocks', {
  teamId: text('team_id').notNull(),
  id: text('id').notNull(),
  title: text('title').notNull(),
  body: text('body').notNull(),
  blockType: text('block_type').notNull(),
  status: text('status').notNull(),
  bodyFormat: text('body_format').notNull().default('html'),
  source: text('source').notNull().default('webhook'),
  eventSlug: text('event_slug'),
  imageUrl: text('image_url'),
  publishAfter: timestamp('publish_after', { withTimezone: true }),
  version: integer('version').notNull().default(1),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
})

const db = drizzle(postgres({ ...JSON.parse(process.env['DATABASE'] ?? '{}'), max: 10 }))

const Item = v.object({
  title: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(255)),
  body: v.pipe(v.string(), v.minLength(1), v.maxLength(65_536)),
  block_type: v.optional(v.string(), 'general'),
})

const windows = new Map<string, { startedAt: number; count: number }>()

/** True while a key has made at most 60 requests in the present minute. */
function underLimit(hash: string): boolean {
  const startedAt = Math.floor(Date.now() / 60_000)
  const current = windows.get(hash)
  const window = current?.startedAt === startedAt ? current : { startedAt, count: 0 }
  window.count++
  windows.set(hash, window)
  return window.count <= 60
}

const app = new Elysia({ prefix: '/api/v1' })
  .derive(async ({ headers, status }) => {
    const token = headers['authorization']?.replace(/^Bearer /, '') ?? ''
    const hash = createHash('sha256').update(token).digest('hex')
    const [key] = await db.select().from(keys).where(eq(keys.hash, hash))
    if (!key) return status(401)
    return underLimit(hash) ? { teamId: key.teamId } : status(429)
  })
  .get('/team', async ({ teamId }) => {
    const [team] = await db.select().from(teams).where(eq(teams.id, teamId))
    return { team }
  })
  .get('/content_blocks', async ({ teamId }) => ({
    content_blocks: await db
      .select()
      .from(blocks)
      .where(eq(blocks.teamId, teamId))
      .orderBy(desc(blocks.id))
      .limit(50),
  }))
  .post(
    '/webhooks/ingest',
    async ({ teamId, body, status }) => {
      const block = {
        teamId,
        id: `cb_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`,
        title: body.title,
        body: sanitizeHtml(body.body),
        blockType: body.block_type,
        status: 'draft',
        createdAt: new Date(),
      }
      await db.insert(blocks).values(block)
      return status(201, { content_block: block })
    },
    { body: Item },
  )
  .listen({ port: 0, hostname: '127.0.0.1' })

process.stdout.write(`${app.server?.port}\n`)
