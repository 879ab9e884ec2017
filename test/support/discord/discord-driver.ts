import { adapter } from '../../../integrations/discord/adapter.ts'
import type { TestApp } from '../app.ts'
import type { BotMessage, ChatDriver, DeduplicatingChat, PersonName } from '../chats/chat.ts'
import { linkAccount } from '../chats/link-account.ts'
import { connectionOf, driverOf } from '../chats/stand-in.ts'
import {
  buttonId,
  type ConnectedDiscord,
  connectDiscord,
  type InteractionReply,
  textOf,
} from './discord-bot.ts'
import { type DiscordMessage, startDiscord } from './discord-server.ts'

const ids = { mira: '201', tomas: '202', ada: '203', ben: '204', eve: '205' }
const people = {
  [ids.mira]: { name: 'Mira Solano' },
  [ids.tomas]: { name: 'Tomás Weld' },
  [ids.ada]: { name: 'Ada Reyes', nick: 'Ada **bold** @everyone' },
  [ids.ben]: { name: 'Ben Okoro' },
  [ids.eve]: { name: 'Eve' },
}
const channel = '1600000000000000007'
const newsletterChannel = '1600000000000000009'
const creating = 'POST channels/*/messages'
/** The kinds of responses: https://docs.discord.com/developers/interactions/receiving-and-responding */
const responses = { message: 4, confirmation: 6, form: 9 }
const onlyForOne = 64

/** A Discord server with people. */
export function startDiscordDriver(): ChatDriver<DeduplicatingChat> {
  const server = startDiscord(structuredClone(people))

  async function connect(app: TestApp): Promise<DeduplicatingChat> {
    const given = { review_channel: channel, newsletter_channel: newsletterChannel }
    const connected = await connectDiscord(app, server, given)
    const { team, command, tidings } = connected
    const shown = (messages: DiscordMessage[]) => messages.map((one) => shownIn(connected, one))
    const directTo = (who: PersonName) => server.to(ids[who])
    return {
      name: 'Discord',
      ...connectionOf(app, adapter, connected),
      channel,
      newsletterChannel,
      connectOtherTeam: () => connect(app),
      addEditor: (who) =>
        linkAccount(app, team, async () => (await tidings(ids[who], 'link')).data.content ?? ''),
      sendNews: async (text) => void (await command(ids.mira, 'win', text)),
      async thank(...whom) {
        const names = whom.map((who) => `<@${ids[who]}>`).join(' and ')
        await command(ids.mira, 'kudos', `${names} for the launch`)
      },
      leave: (who) => void delete server.people[ids[who]],
      idOf: (who) => ids[who],
      nameOf: (who) => `<@${ids[who]}>`,
      mentionOf: (who) => `<@${ids[who]}>`,
      bold: (text) => `**${text}**`,
      escape: (text) => text.replaceAll('*', '\\*'),
      messagesIn: (place) => shown(server.in(place)),
      messagesTo: (who) => shown(directTo(who)),
      textTo(who) {
        const replies = server.replies.filter(({ path }) => path.includes(`/token-${ids[who]}-`))
        return [...directTo(who), ...replies.map(({ message }) => message)].map(textOf).join('\n')
      },
      failures: ['limited', 'limited_everywhere', 'down', 'lost'],
      failPosting: (failure) => void server.failures.set(creating, failure),
      recover: () => server.failures.clear(),
      recoverLater: () => server.failures.clear(),
      postingRequests: () => server.calls.filter((name) => name === creating).length,
      hideMessages: () => void server.failures.set('GET channels/*/messages', 'no_access'),
    }
  }

  return driverOf(server, { adapter, connect, people })
}

function shownIn(connected: ConnectedDiscord, message: DiscordMessage): BotMessage {
  const pressIn = async (who: PersonName, id: string, expected: readonly number[]) => {
    const reply = await connected.press(ids[who], id, message)
    if (!expected.includes(reply.type)) throw new Error(`Discord gets a response ${reply.type}`)
    return reply
  }
  return {
    text: () => textOf(message),
    button(name) {
      const id = buttonId(message, name)
      return {
        press: async (who) => void (await pressIn(who, id, [responses.confirmation])),
        async open(who) {
          const reply = await pressIn(who, id, [responses.message, responses.form])
          return {
            text: textIn(reply),
            async submit(values = {}) {
              if (reply.type === responses.form)
                await connected.submit(ids[who], reply, values, message)
              else await connected.press(ids[who], buttonId(reply.data, name))
            },
          }
        },
        refusalFor: async (who) => textIn(await pressIn(who, id, [responses.message])),
      }
    },
  }
}

/** The text of a form, or of a message that only one person sees. */
function textIn({ type, data }: InteractionReply): string {
  if (type === responses.form) return JSON.stringify(data)
  if (data.flags !== onlyForOne) throw new Error('everybody sees the reply')
  return textOf(data)
}
