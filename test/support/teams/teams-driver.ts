import { adapter } from '../../../integrations/teams/adapter.ts'
import type { TestApp } from '../app.ts'
import type { BotMessage, ChatDriver, ConversingChat, PersonName } from '../chats/chat.ts'
import { losingResponses } from '../chats/losing-responses.ts'
import { connectionOf, driverOf, peopleWithEmail, submitButtonOf } from '../chats/stand-in.ts'
import { member } from '../console.ts'
import { taskIn } from './adaptive-cards.ts'
import {
  type ConnectedTeamsBot,
  connectTeamsBot,
  dataIn,
  inChannel,
  startTeams,
  type TeamsMessage,
} from './teams-bot.ts'

const idOf = (number: number) => `b1b9d0f2-7c9a-4b1e-8f57-6f3f6f1a2b0${number}`
const ids = {
  ...{ mira: idOf(1), tomas: idOf(2), ada: idOf(3) },
  ...{ ben: idOf(4), eve: idOf(5) },
}
const channel = '19:editors@thread.tacv2'
const newsletterChannel = '19:all@thread.tacv2'

const textOf = ({ text, attachments }: TeamsMessage) => text + JSON.stringify(attachments)

/** Microsoft Teams with people. */
export function startTeamsDriver(): ChatDriver<ConversingChat> {
  const people = peopleWithEmail(ids)
  const teams = startTeams(structuredClone(people))

  async function connect(app: TestApp): Promise<ConversingChat> {
    const given = { review_channel: channel, newsletter_channel: newsletterChannel }
    const connected = await connectTeamsBot(app, teams, given)
    const { team, say } = connected
    const shown = (messages: TeamsMessage[]) => messages.map((one) => shownIn(connected, one))
    const directTo = (who: PersonName) => teams.in(`a:${ids[who]}`)
    return {
      name: 'Microsoft Teams',
      ...connectionOf(app, adapter, connected),
      channel,
      newsletterChannel,
      connectOtherTeam: () => connect(app),
      async addEditor(who) {
        const name = people[ids[who]]?.name ?? ''
        const { email } = await member(app, team, 'editor', { name })
        people[ids[who]] = { name, email }
        teams.people[ids[who]] = { name, email }
      },
      async sendNews(text) {
        const place = inChannel('19:wins@thread.tacv2', 'standard')
        await say(ids.mira, `<at>Tidings</at> win ${text}`, place)
      },
      async thank(...whom) {
        const names = whom.map((who) => `<at>${teams.people[ids[who]]?.name}</at>`).join(' and ')
        const entities = whom.map((who) => ({
          type: 'mention',
          mentioned: { id: `29:${ids[who]}` },
        }))
        await say(ids.mira, `kudos ${names} for it`, { entities })
      },
      leave: (who) => void Object.assign(teams.people[ids[who]] ?? {}, { isGone: true }),
      idOf: (who) => ids[who],
      nameOf: (who) => teams.people[ids[who]]?.name ?? '',
      mentionOf: (who) => teams.people[ids[who]]?.name ?? '',
      bold: (text) => text,
      escape: (text) => text.replaceAll('*', '\\\\*'),
      messagesIn: (place) => shown(teams.in(place)),
      messagesTo: (who) => shown(directTo(who)),
      textTo: (who) => directTo(who).map(textOf).join('\n'),
      ...losingResponses(teams),
      async write(text, picture) {
        if (picture) teams.files.set('picture', picture)
        const image = { contentType: 'image/*', contentUrl: `${teams.url}v3/attachments/picture` }
        await say(ids.mira, text, picture ? { attachments: [image] } : {})
      },
      command: (text) => `win ${text}`,
    }
  }

  return driverOf(teams, { adapter, connect, people })
}

function shownIn(connected: ConnectedTeamsBot, message: TeamsMessage): BotMessage {
  return {
    text: () => textOf(message),
    button(name) {
      const data = dataIn(message, name)
      const dialogFor = async (who: PersonName) => {
        const opened = await connected.dialog(ids[who], 'task/fetch', { data }, message)
        const body: unknown = await opened.json()
        return { text: JSON.stringify(body), card: taskIn(body) }
      }
      return {
        press: async (who) => void (await connected.press(ids[who], data, message)),
        async open(who) {
          const { text, card } = await dialogFor(who)
          return {
            text,
            async submit(values = {}) {
              const submitted = { ...dataIn(card, submitButtonOf(name)), ...values }
              await connected.dialog(ids[who], 'task/submit', { data: submitted }, message)
            },
          }
        },
        refusalFor: async (who) => (await dialogFor(who)).text,
      }
    },
  }
}
