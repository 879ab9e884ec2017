/**
 * The baseline: `Bun.serve` and one `postgres` statement for each request. It checks nothing. The
 * environment gives its DATABASE (an address as JSON); it prints its port.
 */
import postgres from 'postgres'

const sql = postgres({ ...JSON.parse(process.env['DATABASE'] ?? '{}'), max: 10 })

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const path = request.url.slice(request.url.indexOf('/', 8))
    if (request.method === 'POST') return await insert(await itemOf(request))
    return path.startsWith('/api/v1/team') ? await team() : await list()
  },
})

interface Item {
  title: string
  body: string
  block_type?: string
}

/** Trusts the request: the baseline validates nothing. */
const itemOf = async (request: Request) => (await request.json()) as Item

async function insert(item: Item) {
  const block = {
    team_id: 'team_1',
    id: `cb_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`,
    title: item.title,
    body: item.body,
    body_format: 'html',
    block_type: item.block_type ?? 'general',
    status: 'draft',
    source: 'webhook',
    event_slug: null,
    image_url: null,
    publish_after: null,
    version: 1,
    created_at: new Date(),
    updated_at: new Date(),
  }
  await sql`insert into bare_blocks ${sql(block)}`
  return Response.json({ content_block: block }, { status: 201 })
}

async function team() {
  const [row] = await sql`select id, name, slug from bare_teams where id = 'team_1'`
  return Response.json({ team: row })
}

async function list() {
  const rows = await sql`
    select id, title, body, body_format, block_type, status, source, event_slug, image_url,
      publish_after, version, created_at, updated_at
    from bare_blocks
    where team_id = 'team_1' order by id desc limit 50`
  return Response.json({ content_blocks: rows })
}

process.stdout.write(`${server.port}\n`)
