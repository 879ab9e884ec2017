import type { Adapter } from '../../../integrations/kit/adapter.ts'
import { planMessages } from '../../../src/forwarding/index.ts'
import type { TestApp } from '../app.ts'

/** Plans the messages to chats that are due in some minutes. */
export const planIn = ({ forwarder }: Pick<TestApp, 'forwarder'>, minutes = 0): Promise<void> =>
  planMessages({ ...forwarder, now: () => new Date(Date.now() + minutes * 60_000) })

/** The forwarder for one chat: planning the messages of all chats takes longer. */
export const forwarderFor = ({ forwarder }: Pick<TestApp, 'forwarder'>, adapter: Adapter) => ({
  ...forwarder,
  adapters: new Map([[adapter.slug, adapter]]),
})
