import type { App, Receiver } from '@slack/bolt'
import type { ReceiveContext } from '../../kit/adapter.ts'
import type { Received, Reply } from '../../kit/requests/received.ts'
import { nameForLogs } from '../../kit/requests/webhook-request.ts'
import { silentLogger } from '../client.ts'
import type { Interaction } from '../events/event.ts'
import type { SlackEvent } from '../events/stored-event.ts'
import { originSettings } from '../installation/workspace.ts'
import { bolt } from '../packages.ts'
import type { Settings } from '../settings.ts'
import { listenForButtons } from './actions.ts'
import { listenForCommands } from './commands.ts'
import { listenForEdits } from './forms/edit.ts'
import { listenForShortcuts } from './forms/form.ts'
import { listenForForms } from './forms/submission.ts'
import { listenForHome } from './home.ts'
import { listenForMessages } from './messages.ts'
import { listenForReactions } from './reactions.ts'
import type { SlackRequest, SlackResult } from './request-result.ts'
import { listenForTidings } from './tidings-command.ts'
import { listenForUndo } from './undo.ts'
import { listenForUninstallation } from './uninstallation.ts'

/** Passes requests of the host to Bolt. It does not listen on a port. */
class HostReceiver implements Receiver {
  #app: App | undefined

  init(app: App): void {
    this.#app = app
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  /** Runs the listeners and returns their acknowledgement. */
  async dispatch(body: Interaction, headers: Headers): Promise<Reply> {
    let reply: Reply = {}
    const ack = async (response?: object | string) => {
      reply = response === undefined || response === '' ? {} : { body: response }
    }
    const retryNum = Number(headers.get('x-slack-retry-num'))
    const retryReason = headers.get('x-slack-retry-reason')
    await this.#app?.processEvent({
      body,
      ack,
      ...(retryNum > 0 && { retryNum }),
      ...(retryReason && { retryReason }),
    })
    return reply
  }
}

/**
 * The result of Bolt's listeners for a verified request. Each request gets its own app, which takes
 * 0.05 ms.
 */
export async function handleRequest(
  body: Interaction,
  headers: Headers,
  { settings, now, team, language }: ReceiveContext<Settings>,
): Promise<Received<SlackEvent>> {
  let outcome: SlackResult | undefined
  const setResult = (result: SlackResult) => {
    outcome = result
  }
  const receiver = new HostReceiver()
  const app = new (bolt().App)({
    receiver,
    // Without a token no listener can call Slack, which would delay the response.
    authorize: async () => ({}),
    convoStore: false,
    ignoreSelf: false,
    logger: silentLogger,
  })
  listen(app, { settings, now, team, language, setResult })
  const reply = await receiver.dispatch(body, headers)
  return received(outcome, reply, body, settings)
}

function listen(app: App, request: SlackRequest): void {
  listenForCommands(app, request)
  listenForShortcuts(app, request)
  listenForForms(app, request)
  listenForUndo(app, request)
  listenForButtons(app, request)
  listenForEdits(app, request)
  listenForTidings(app, request)
  listenForHome(app, request)
  listenForMessages(app, request)
  listenForReactions(app, request)
  listenForUninstallation(app, request)
}

function received(
  outcome: SlackResult | undefined,
  reply: Reply,
  body: Interaction,
  settings: Settings,
): Received<SlackEvent> {
  if (outcome === undefined) return { kind: 'unknown', eventName: eventName(body) }
  if (outcome.kind === 'ignored' || outcome.kind === 'disconnected') return { ...outcome, reply }
  const providerSettings = originSettings(body, settings)
  return {
    ...outcome,
    reply,
    ...(Object.keys(providerSettings).length > 0 && { providerSettings }),
  }
}

function eventName(body: Interaction): string {
  if (body.type === 'command') return nameForLogs(`command${body.command}`)
  if (body.type === 'event_callback') return nameForLogs(`event:${body.event.type}`)
  if (body.type === 'view_submission') return nameForLogs(`${body.type}:${body.view.callback_id}`)
  if ('callback_id' in body) return nameForLogs(`${body.type}:${body.callback_id}`)
  const action = body.type === 'block_actions' ? body.actions[0] : body
  return nameForLogs(`${body.type}:${action?.action_id}`)
}
