import { adapter } from '../../../integrations/mattermost/adapter.ts'
import { createConnection, webhookUrl } from '../../../src/features/connections/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import type { TestApp } from '../app.ts'
import { until } from '../until.ts'
import {
  type OpenedDialog,
  type PostAction,
  type PostAttachment,
  responseFaults,
} from './mattermost-checks.ts'
import { bot, type MattermostPost, type MattermostServer } from './mattermost-server.ts'

const townSquare = 'townsquare0000000000000001'

/** What an app responds to a request at once. */
interface AppResponse {
  response_type?: string
  text?: string
  attachments?: PostAttachment[]
  ephemeral_text?: string
  update?: object
  error?: string
  errors?: { title?: string; body?: string }
}

/** A team whose Mattermost is the server, and the requests of its people. */
export async function connectMattermost(
  app: TestApp,
  server: MattermostServer,
  given: Record<string, unknown> = {},
) {
  const team = await app.team()
  const settings = {
    token: 'token of tidings',
    win_token: 'token of win',
    kudos_token: 'token of kudos',
    server_url: server.url,
    access_token: bot.token,
    quiet_hours: 'none',
    ...given,
  }
  const ctx = systemContext(app.forwarder, team.id)
  const { id, webhookToken } = await createConnection(ctx, { adapter, given: settings })
  const url = webhookUrl(app.base, 'mattermost', webhookToken)
  const tokens: Record<string, string | undefined> = {
    tidings: 'token of tidings',
    win: 'token of win',
    kudos: 'token of kudos',
  }

  /** Posts to an address as Mattermost does, and reads the response as it does: JSON with a status of 200. */
  async function post(
    to: string,
    { kind, ...sent }: { kind: 'command' | 'button' | 'form'; body: object | URLSearchParams },
  ): Promise<AppResponse> {
    const isForm = sent.body instanceof URLSearchParams
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json'
    const body = isForm ? sent.body.toString() : JSON.stringify(sent.body)
    const headers = { 'content-type': type, accept: 'application/json' }
    // The address is public, and the service is on this machine.
    const response = await fetch(app.base + new URL(to).pathname, { method: 'POST', headers, body })
    if (response.status !== 200) throw new Error(`Mattermost gets ${response.status}`)
    if (!response.headers.get('content-type')?.startsWith('application/json'))
      server.faults.push('a response that is no JSON')
    const read = JSON.parse(await response.text())
    server.faults.push(...responseFaults(kind, read))
    return read
  }

  /** A slash command, such as `/win`, with the ids of the people whom it mentions. */
  async function command(
    user: string,
    name: string,
    text: string,
    { mentioned = [] as string[], changes = {} as Record<string, string> } = {},
  ) {
    const form = new URLSearchParams({
      token: tokens[name] ?? 'token of tidings',
      team_id: 'acmeteam000000000000000001',
      team_domain: 'acme',
      channel_id: townSquare,
      channel_name: 'town-square',
      user_id: user,
      user_name: server.people[user]?.username ?? 'nobody',
      command: `/${name}`,
      text,
      trigger_id: server.trigger(user),
      root_id: '',
      response_url: server.responseUrl(user),
      ...changes,
    })
    for (const id of mentioned) form.append('user_mentions_ids', id)
    return await post(url, { kind: 'command', body: form })
  }

  /** Uses a button of a post that clients see, as Mattermost sends that to the address of the button. */
  const press = (
    user: string,
    at: MattermostPost | { attachments?: PostAttachment[] | undefined },
    name: string,
    { index = 0, changes = {} as Record<string, unknown> } = {},
  ): Promise<AppResponse> => {
    const { integration } = buttonOf(at, name, index)
    return post(integration?.url ?? '', {
      kind: 'button',
      body: {
        user_id: user,
        user_name: server.people[user]?.username ?? 'nobody',
        channel_id: 'channel_id' in at ? at.channel_id : townSquare,
        channel_name: 'town-square',
        team_id: '',
        team_domain: '',
        post_id: 'id' in at ? at.id : 'ephemeral00000000000000001',
        trigger_id: server.trigger(user),
        type: 'button',
        data_source: '',
        context: integration?.context ?? {},
        ...changes,
      },
    })
  }

  /** Submits a form that was opened for a person, with these values in place of its own. */
  async function submit(
    user: string,
    { url: address = '', dialog }: OpenedDialog,
    values: Record<string, string> = {},
  ): Promise<AppResponse> {
    const own = (dialog.elements ?? []).map(({ name = '', default: value }) => [name, value ?? ''])
    const request = {
      type: 'dialog_submission',
      callback_id: dialog.callback_id,
      state: dialog.state,
      user_id: user,
      channel_id: townSquare,
      team_id: '',
      submission: { ...Object.fromEntries(own), ...values },
      cancelled: false,
    }
    return await post(address, { kind: 'form', body: request })
  }

  /** The newest form that is open for a person. It opens after the response. */
  async function form(user: string): Promise<OpenedDialog> {
    const find = () => server.dialogs.findLast((one) => one.user === user)
    await until(async () => find() !== undefined)
    const found = find()
    if (!found) throw new Error('no form is open')
    server.dialogs.splice(server.dialogs.indexOf(found), 1)
    return found.opened
  }

  return { team, connectionId: id, settings, url, post, command, press, submit, form }
}

export type ConnectedMattermost = Awaited<ReturnType<typeof connectMattermost>>

/** Asks for the link of `/tidings link`. Returns the reply with it. */
export async function requestAccountLink(
  server: MattermostServer,
  { command }: ConnectedMattermost,
  user: string,
): Promise<string> {
  const before = server.replies.length
  await command(user, 'tidings', 'link')
  await until(async () => server.replies.length > before)
  return server.replies.at(-1)?.text ?? ''
}

type Shown =
  | MattermostPost
  | { text?: string | undefined; attachments?: PostAttachment[] | undefined }
  | undefined

const attachmentsOf = (at: Shown): PostAttachment[] => {
  if (at === undefined) return []
  return ('props' in at ? at.props.attachments : at.attachments) ?? []
}

const actionsOf = (at: Shown): PostAction[] =>
  attachmentsOf(at).flatMap(({ actions = [] }) => actions)

/** All text of a message that people see. */
export const textOf = (at: Shown): string =>
  [
    at && 'message' in at ? at.message : (at?.text ?? ''),
    ...attachmentsOf(at).map(({ text = '' }) => text),
    ...actionsOf(at).map(({ name = '' }) => name),
  ].join('\n')

/** A button of a message, by our name of it. */
export function buttonOf(at: Shown, name: string, index = 0): PostAction {
  const found = actionsOf(at).filter(({ integration }) => integration?.context?.['name'] === name)[
    index
  ]
  if (found === undefined) throw new Error(`the message has no button ${name}`)
  return found
}
