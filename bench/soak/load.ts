import { createHmac } from 'node:crypto'
import type { Installation } from './installation.ts'

const clients = 8
// A soak runs for long at a moderate load, so that faults and not throughput decide.
const pauseMs = 1_100
// A team can send 100 preview emails a day.
const previewPauseMs = 45_000

/** What clients saw, and what the service has acknowledged. */
export interface Load {
  counts: {
    acknowledged: number
    events: number
    previews: number
    unavailable: number
    unreachable: number
    other: Record<number, number>
  }
  /** The titles of all acknowledged blocks. */
  blocks: Set<string>
  /** Resolves when every client has received its last acknowledgment. */
  stop(): Promise<void>
}

/** Starts clients that repeat each request until it is acknowledged, and wait between requests. */
export async function startLoad(installation: Installation): Promise<Load> {
  const { tidings, url, clients: behavior } = installation
  const counts: Load['counts'] = {
    acknowledged: 0,
    events: 0,
    previews: 0,
    unavailable: 0,
    unreachable: 0,
    other: {},
  }
  const blocks = new Set<string>()
  let isOver = false

  function count(response: Response | null | undefined): void {
    if (!response) counts.unreachable++
    else if (response.status === 503 || response.status === 429) counts.unavailable++
    else counts.other[response.status] = (counts.other[response.status] ?? 0) + 1
  }

  async function sendUntilAcknowledged(path: string, init: RequestInit): Promise<Response> {
    for (;;) {
      const send = () =>
        fetch(url() + path, {
          method: 'POST',
          ...init,
          // A client that breaks off does so before, while or after the request is stored.
          signal: AbortSignal.timeout(behavior.breakOff ? Math.random() * 60 : 15_000),
        }).catch(() => null)
      const [response] = await Promise.all(behavior.sendTwice ? [send(), send()] : [send()])
      if (response?.ok) return response
      count(response)
      // A client waits before it repeats a request; the service may just be starting.
      await Bun.sleep(pauseMs)
    }
  }
  const headersOf = (key: string, id: string) => ({
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': id,
  })

  async function ingest(client: number, key: string): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const id = `soak-${client}-${n}`
      const body = JSON.stringify({ title: id, body: 'Something happened.', external_id: id })
      await sendUntilAcknowledged('/api/v1/webhooks/ingest', { headers: headersOf(key, id), body })
      blocks.add(id)
      counts.acknowledged++
      // The pace of this client.
      await Bun.sleep(pauseMs)
    }
  }

  await tidings('team', 'create', '--slug', 'acme', '--name', 'Acme')
  const member = ['member', 'add', '--team', 'acme', '--email', 'ada@example.com']
  await tidings(...member, '--name', 'Ada', '--role', 'admin')
  const newKey = ['key', 'create', '--team', 'acme', '--scopes', 'read,write,send_preview']
  const keys = await Promise.all(
    Array.from({ length: clients }, (_, index) => tidings(...newKey, '--name', `client ${index}`)),
  )
  const newConnection = ['connection', 'create', '--team', 'acme', '--adapter', 'github', '--json']
  const connection = JSON.parse(await tidings(...newConnection))
  const hookPath = new URL(connection.url).pathname
  const hookSecret = String(connection.generated.secret)
  const fixture = await Bun.file('integrations/github/fixtures/release.published.json').json()

  async function sendReleases(): Promise<void> {
    for (let n = 1; !isOver; n++) {
      const release = { ...fixture.body.release, id: n, name: `Soak ${n}`, tag_name: `v${n}.0.0` }
      const body = JSON.stringify({ ...fixture.body, release })
      const signature = createHmac('sha256', hookSecret).update(body).digest('hex')
      const headers = {
        'x-github-event': 'release',
        'x-github-delivery': `soak-${n}`,
        'x-hub-signature-256': `sha256=${signature}`,
        'content-type': 'application/json',
      }
      await sendUntilAcknowledged(hookPath, { headers, body })
      counts.events++
      // Half as often as blocks, because each event becomes a delivery and a block.
      await Bun.sleep(2 * pauseMs)
    }
  }

  async function sendPreviews(key: string): Promise<void> {
    const response = await sendUntilAcknowledged('/api/v1/newsletters', {
      headers: headersOf(key, 'soak-newsletter'),
      body: JSON.stringify({ title: 'Soak' }),
    })
    const { newsletter } = (await response.json()) as { newsletter: { id: string } }
    for (let n = 0; !isOver; n++) {
      await sendUntilAcknowledged(`/api/v1/newsletters/${newsletter.id}/send_preview`, {
        headers: headersOf(key, `soak-preview-${n}`),
        body: JSON.stringify({ recipients: ['ada@example.com'] }),
      })
      counts.previews++
      // The pace of this client, in parts, so that the end of the soak does not wait for all of it.
      for (let ms = 0; ms < previewPauseMs && !isOver; ms += pauseMs) await Bun.sleep(pauseMs)
    }
  }

  const [previewKey = ''] = keys
  const running = Promise.all([
    ...keys.map((key, index) => ingest(index, key)),
    sendReleases(),
    sendPreviews(previewKey),
  ])
  return {
    counts,
    blocks,
    async stop() {
      isOver = true
      await running
    },
  }
}
