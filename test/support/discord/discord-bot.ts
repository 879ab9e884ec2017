import { generateKeyPairSync, sign } from 'node:crypto'
import { adapter } from '../../../integrations/discord/adapter.ts'
import { createConnection, webhookUrl } from '../../../src/features/connections/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import type { TestApp } from '../app.ts'
import {
  allComponents,
  type Component,
  messageFaults,
  modalFaults,
  responseFaults,
} from './discord-checks.ts'
import { type DiscordMessage, type DiscordServer, discord } from './discord-server.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const hexKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')

let interactions = 0

/** What an app responds to an interaction at once. */
export interface InteractionReply {
  type: number
  data: {
    content?: string
    flags?: number
    custom_id?: string
    title?: string
    components?: Component[]
  }
}

/** A team whose Discord is the server, and the signed interactions of its people. */
export async function connectDiscord(
  app: TestApp,
  server: DiscordServer,
  given: Record<string, unknown> = {},
) {
  const team = await app.team()
  const settings = {
    public_key: hexKey,
    application_id: discord.application,
    server_ids: [discord.server],
    bot_token: discord.botToken,
    api_base_url: server.apiUrl,
    quiet_hours: 'none',
    ...given,
  }
  const ctx = systemContext(app.forwarder, team.id)
  const { id, webhookToken } = await createConnection(ctx, { adapter, given: settings })
  const url = webhookUrl(app.base, 'discord', webhookToken)

  /** Sends an interaction and checks the response as Discord does: its kind and its limits. */
  async function interact(
    user: string,
    about: { type: number } & Record<string, unknown>,
    from?: DiscordMessage,
  ) {
    const person = server.people[user]
    const token = `token-${user}-${++interactions}`
    const opened = { at: Date.now(), response: null as number | null }
    server.interactions.set(token, opened)
    const body = JSON.stringify({
      id: `15000000000000${String(interactions).padStart(5, '0')}`,
      application_id: discord.application,
      token,
      guild_id: discord.server,
      channel_id: from?.channel_id ?? '1600000000000000001',
      member: {
        nick: person?.nick ?? null,
        user: { id: user, username: user, global_name: person?.name ?? null },
      },
      ...(from && { message: { id: from.id, channel_id: from.channel_id } }),
      ...about,
    })
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString('hex')
    const headers = {
      'content-type': 'application/json',
      'x-signature-timestamp': timestamp,
      'x-signature-ed25519': signature,
    }
    const response = await fetch(url, { method: 'POST', headers, body })
    if (response.status !== 200) throw new Error(`Discord gets ${response.status}`)
    const reply: InteractionReply = JSON.parse(await response.text())
    opened.response = reply.type
    const hasMessage = from !== undefined
    server.faults.push(...responseFaults({ type: about.type, hasMessage }, reply.type))
    if (reply.type === 4)
      server.faults.push(...messageFaults({ allowed_mentions: { parse: [] }, ...reply.data }))
    if (reply.type === 9) server.faults.push(...modalFaults(reply.data))
    return reply
  }

  return {
    team,
    connectionId: id,
    url,
    interact,
    /** A slash command, such as `/win`, with a text. */
    command: (user: string, name: string, text: string) =>
      interact(user, {
        type: 2,
        data: { type: 1, name, options: [{ name: 'text', value: text }] },
      }),
    /** A subcommand of `/tidings`. */
    tidings: (user: string, name: string) =>
      interact(user, { type: 2, data: { type: 1, name: 'tidings', options: [{ name, type: 1 }] } }),
    /** “Save to newsletter” in the menu of a message that another person wrote in a channel. */
    save: (user: string, author: string, channel: string, content: string) => {
      const target_id = `17000000000000${String(interactions).padStart(5, '0')}`
      const written = { id: author, username: author, global_name: server.people[author]?.name }
      const message = { id: target_id, channel_id: channel, content, author: written }
      const data = {
        type: 3,
        name: 'Save to newsletter',
        target_id,
        resolved: { messages: { [target_id]: message } },
      }
      return interact(user, { type: 2, data })
    },
    press: (user: string, custom_id: string, at?: DiscordMessage) =>
      interact(user, { type: 3, data: { component_type: 2, custom_id } }, at),
    /** Submits a form with these values in place of its own. */
    submit: (
      user: string,
      { data }: InteractionReply,
      values: Record<string, string>,
      at?: DiscordMessage,
    ) => {
      const components = (data.components ?? []).flatMap(({ type, component }) =>
        component
          ? [
              {
                type,
                component: {
                  ...component,
                  value: values[component.custom_id ?? ''] ?? component.value,
                },
              },
            ]
          : [],
      )
      return interact(user, { type: 5, data: { custom_id: data.custom_id, components } }, at)
    },
  }
}

export type ConnectedDiscord = Awaited<ReturnType<typeof connectDiscord>>

/** All text of a message that people see. */
export const textOf = (
  message: { content?: string; components?: Component[] } | undefined,
): string =>
  [
    message?.content ?? '',
    ...allComponents(message?.components ?? []).map(({ content, label }) => content ?? label ?? ''),
  ].join('\n')

/** The custom id of a button of a message. */
export function buttonId(
  message: { components?: Component[] } | undefined,
  name: string,
  index = 0,
): string {
  const ids = allComponents(message?.components ?? []).flatMap(({ custom_id }) => custom_id ?? [])
  const found = ids.filter((id) => id.startsWith(`${name}:`))[index]
  if (found === undefined) throw new Error(`the message has no button ${name}`)
  return found
}
