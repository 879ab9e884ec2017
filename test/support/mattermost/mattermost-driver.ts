import { adapter } from '../../../integrations/mattermost/adapter.ts'
import type { TestApp } from '../app.ts'
import type { BotMessage, ChatDriver, DeduplicatingChat, PersonName } from '../chats/chat.ts'
import { linkAccount } from '../chats/link-account.ts'
import { connectionOf, driverOf } from '../chats/stand-in.ts'
import { until } from '../until.ts'
import {
  buttonOf,
  type ConnectedMattermost,
  connectMattermost,
  requestAccountLink,
  textOf,
} from './mattermost-bot.ts'
import { type MattermostPost, type MattermostServer, startMattermost } from './mattermost-server.ts'

const idOf = (name: string) => name.padEnd(26, '0')
const ids = {
  mira: idOf('mira'),
  tomas: idOf('tomas'),
  ada: idOf('ada'),
  ben: idOf('ben'),
  eve: idOf('eve'),
}
const people = {
  [ids.mira]: { username: 'mira.solano', first_name: 'Mira', last_name: 'Solano' },
  [ids.tomas]: { username: 'tomas', nickname: 'Tomás' },
  [ids.ada]: { username: 'ada', nickname: 'Ada **bold** @channel' },
  [ids.ben]: { username: 'ben', first_name: 'Ben', last_name: 'Okoro' },
  [ids.eve]: { username: 'eve' },
}
/** The beginnings of their names, with the escapes of the bot. */
const names = {
  mira: 'Mira Solano',
  tomas: 'Tomás',
  ada: 'Ada \\*\\*bold\\*\\*',
  ben: 'Ben Okoro',
  eve: 'eve',
}
const channel = idOf('editors')
const newsletterChannel = idOf('news')
const creating = 'POST posts'

/** A Mattermost server with people. */
export function startMattermostDriver(): ChatDriver<DeduplicatingChat> {
  const server = startMattermost(structuredClone(people))

  async function connect(app: TestApp): Promise<DeduplicatingChat> {
    const given = { review_channel: channel, newsletter_channel: newsletterChannel }
    const connected = await connectMattermost(app, server, given)
    const { team, command } = connected
    const shown = (posts: MattermostPost[]) => posts.map((post) => shownIn(server, connected, post))
    const directTo = (who: PersonName) => server.to(ids[who])
    return {
      name: 'Mattermost',
      ...connectionOf(app, adapter, connected),
      channel,
      newsletterChannel,
      connectOtherTeam: () => connect(app),
      addEditor: (who) =>
        linkAccount(app, team, () => requestAccountLink(server, connected, ids[who])),
      sendNews: async (text) => void (await command(ids.mira, 'win', text)),
      async thank(...whom) {
        const text = `${whom.map((who) => `@${who}`).join(' and ')} for the launch`
        await command(ids.mira, 'kudos', text, { mentioned: whom.map((who) => ids[who]) })
      },
      leave: (who) => void Object.assign(server.people[ids[who]] ?? {}, { delete_at: 1 }),
      idOf: (who) => ids[who],
      nameOf: (who) => names[who],
      mentionOf: (who) => names[who],
      bold: (text) => `**${text}**`,
      escape: (text) => text.replaceAll('*', '\\*'),
      messagesIn: (place) => shown(server.in(place)),
      messagesTo: (who) => shown(directTo(who)),
      textTo: (who) =>
        [...directTo(who), ...server.replies.filter(({ user }) => user === ids[who])]
          .map(textOf)
          .join('\n'),
      failures: ['limited', 'down', 'lost'],
      failPosting(failure) {
        if (failure === 'limited_everywhere') throw new Error('Mattermost has no such failure')
        server.failures.set(creating, failure)
      },
      recover: () => server.failures.clear(),
      recoverLater() {
        server.deletePendingIds()
        server.failures.clear()
      },
      postingRequests: () => server.calls.filter((name) => name === creating).length,
      hideMessages: () => void server.failures.set('GET channels/*/posts', 'no_access'),
    }
  }

  return driverOf(server, { adapter, connect, people })
}

function shownIn(
  server: MattermostServer,
  connected: ConnectedMattermost,
  post: MattermostPost,
): BotMessage {
  return {
    text: () => textOf(post),
    button(name) {
      buttonOf(post, name)
      const seen = structuredClone(post)
      const press = async (who: PersonName) => {
        const response = await connected.press(ids[who], seen, name)
        if (!Bun.deepEquals(response, {})) throw new Error('Mattermost gets a text')
      }
      return {
        press,
        async open(who) {
          await press(who)
          const form = await connected.form(ids[who])
          return {
            text: JSON.stringify(form.dialog),
            submit: async (values = {}) => void (await connected.submit(ids[who], form, values)),
          }
        },
        /** Mattermost opens no form that says why. */
        async refusalFor(who) {
          const before = server.to(ids[who]).length
          await press(who)
          await until(async () => server.to(ids[who]).length > before)
          if (server.dialogs.length > 0) throw new Error('a form has opened')
          return textOf(server.to(ids[who]).at(-1))
        },
      }
    },
  }
}
