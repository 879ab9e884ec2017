import { afterAll, beforeEach } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { removeConnections, untilNothingIsSent } from '../jobs.ts'

/** A stand-in for a chat, or for a service that its tests need. */
interface Server {
  stop(): unknown
  reset?(): void
}

/**
 * Starts an app for the tests of a file, and stops it with these servers after them. Each test begins without
 * connections and messages of earlier ones.
 */
export async function startChatApp(
  options: Parameters<typeof startApp>[0],
  servers: readonly Server[],
): Promise<TestApp> {
  const app = await startApp(options)
  afterAll(async () => {
    await app.close()
    for (const server of servers) await server.stop()
  })
  beforeEach(async () => {
    await untilNothingIsSent(app)
    await removeConnections(app)
    for (const server of servers) server.reset?.()
  })
  return app
}
