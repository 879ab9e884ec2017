/**
 * Prints, as JSON, which files are called for a new content block and for a GitHub release: the file of
 * each call, in order. Run it with `execution-recorder.ts` preloaded.
 */
import { adapter } from '../../integrations/github/adapter.ts'
import published from '../../integrations/github/fixtures/release.published.json'
import { sign } from '../../integrations/github/fixtures/sign.ts'
import { createConnection, webhookUrl } from '../../src/features/connections/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { startApp } from './app.ts'
import { takeCalls } from './run/execution-recorder.ts'
import { until } from './until.ts'

const requests = 5

const app = await startApp({ adapters: [adapter] })
const team = await app.team()
const key = await app.key(team, ['read', 'write'])
const secret = 'a secret that only the two know'
const { webhookToken } = await createConnection(systemContext(app.forwarder, team.id), {
  adapter,
  given: { secret },
})

async function createBlock() {
  await fetch(`${app.base}/api/v1/content_blocks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Search is twice as fast', body: '<p>See for yourself.</p>' }),
  })
}

const url = webhookUrl(app.base, adapter.slug, webhookToken)

async function sendRelease(id: number) {
  const body = JSON.stringify({ ...published.body, release: { ...published.body.release, id } })
  await fetch(url, {
    method: 'POST',
    headers: {
      ...published.headers,
      'x-github-delivery': `delivery-${id}`,
      ...(await sign(body, { secret })),
    },
    body,
  })
}

/**
 * The calls of one request, up to the log line that ends it; without those that only happen now and
 * then in the background.
 */
async function callsOf(
  request: (index: number) => Promise<void>,
  lastMessage: string,
): Promise<string[]> {
  const runs: (readonly string[])[] = []
  takeCalls()
  for (let index = 0; index < requests; index++) {
    const ended = linesWith(lastMessage)
    await request(index)
    await until(async () => linesWith(lastMessage) > ended)
    runs.push(takeCalls())
  }
  const [last = []] = runs.slice(-1)
  const isRequest = (path: string) => runs.every((run) => run.includes(path))
  return last.filter((path) => isRequest(path) && !path.includes('/fixtures/'))
}

const linesWith = (message: string) =>
  app.logLines.filter((line) => line.includes(`"msg":"${message}"`)).length

const paths = {
  contentBlock: await callsOf(createBlock, 'request'),
  release: await callsOf(sendRelease, 'delivery settled'),
}
await app.close()
process.stdout.write(JSON.stringify(paths))
process.exit()
