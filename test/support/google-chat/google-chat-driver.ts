import { adapter } from '../../../integrations/google-chat/adapter.ts'
import type { TestApp } from '../app.ts'
import type { BotMessage, ChatDriver, ConversingChat, PersonName } from '../chats/chat.ts'
import { losingResponses } from '../chats/losing-responses.ts'
import { connectionOf, driverOf, peopleWithEmail, submitButtonOf } from '../chats/stand-in.ts'
import { member } from '../console.ts'
import { dialogIn } from './google-cards.ts'
import { actionIn, type ChatMessage, connectGoogleChat, startGoogleChat } from './google-chat.ts'

type Connected = Awaited<ReturnType<typeof connectGoogleChat>>

const ids = {
  ...{ mira: 'users/1', tomas: 'users/2', ada: 'users/3' },
  ...{ ben: 'users/4', eve: 'users/5' },
}
const channel = 'spaces/AAAAeditors'
const newsletterChannel = 'spaces/AAAAall'
const image = 'spaces/dm1/messages/8.8/attachments/a='

const textOf = ({ text, cardsV2 }: ChatMessage) => text + JSON.stringify(cardsV2)

/** Google Chat with people. */
export async function startGoogleChatDriver(): Promise<ChatDriver<ConversingChat>> {
  const people = peopleWithEmail(ids)
  const google = await startGoogleChat(structuredClone(people))

  /** The messages that only this person sees. */
  const seenBy = (who: PersonName) =>
    google.messages.filter(
      ({ space, viewer }) =>
        viewer === ids[who] || space === ids[who].replace('users/', 'spaces/dm'),
    )

  async function connect(app: TestApp): Promise<ConversingChat> {
    const given = { review_channel: channel, newsletter_channel: newsletterChannel }
    const connected = await connectGoogleChat(app, google, given)
    const { team, say } = connected
    const shown = (messages: ChatMessage[]) => messages.map((one) => shownIn(connected, one))
    return {
      name: 'Google Chat',
      ...connectionOf(app, adapter, connected),
      channel,
      newsletterChannel,
      connectOtherTeam: () => connect(app),
      async addEditor(who) {
        const email = `${crypto.randomUUID()}@lumen.example`
        const person = { name: people[ids[who]]?.name ?? '', email }
        await member(app, team, 'editor', person)
        people[ids[who]] = person
        google.people[ids[who]] = person
      },
      sendNews: async (text) => void (await say(ids.mira, `/win ${text}`)),
      async thank(...whom) {
        const formattedText = `/kudos ${whom.map((who) => `<${ids[who]}>`).join(' and ')} for it`
        const annotations = whom.map((who) => ({
          type: 'USER_MENTION',
          userMention: { user: { name: ids[who], displayName: google.people[ids[who]]?.name } },
        }))
        const text = `/kudos ${whom.join(' and ')} for it`
        await say(ids.mira, text, { formattedText, annotations })
      },
      leave: (who) => void Object.assign(google.people[ids[who]] ?? {}, { isGone: true }),
      idOf: (who) => ids[who],
      nameOf: (who) => google.people[ids[who]]?.name ?? '',
      mentionOf: (who) => `<${ids[who]}>`,
      bold: (text) => `*${text}*`,
      escape: (text) => text,
      messagesIn: (space) => shown(google.in(space).filter(({ viewer }) => viewer === null)),
      messagesTo: (who) => shown(seenBy(who)),
      textTo: (who) => seenBy(who).map(textOf).join('\n'),
      ...losingResponses(google),
      async write(text, picture) {
        if (picture) google.files.set(image, picture)
        const attachmentDataRef = { resourceName: image }
        await connected.event(ids.mira, {
          type: 'MESSAGE',
          space: { name: 'spaces/dm1', spaceType: 'DIRECT_MESSAGE', singleUserBotDm: true },
          message: {
            name: `spaces/dm1/messages/${crypto.randomUUID()}`,
            text,
            sender: { name: ids.mira, displayName: 'Mira Solano' },
            ...(picture && { attachment: [{ contentType: 'image/png', attachmentDataRef }] }),
          },
        })
      },
      command: (text) => `/win ${text}`,
    }
  }

  return driverOf(google, { adapter, connect, people })
}

function shownIn(connected: Connected, at: ChatMessage): BotMessage {
  return {
    text: () => textOf(at),
    button(name) {
      const action = actionIn(at, name)
      const dialogFor = async (who: PersonName) => {
        const opened = await connected.press(ids[who], action, { at, dialog: 'REQUEST' })
        return dialogIn(await opened.json())
      }
      return {
        async press(who) {
          const { status } = await connected.press(ids[who], action, { at })
          if (status !== 200) throw new Error(`Google Chat gets ${status}`)
        },
        async open(who) {
          const dialog = await dialogFor(who)
          return {
            text: JSON.stringify(dialog),
            async submit(form = {}) {
              const save = actionIn(dialog, submitButtonOf(name))
              await connected.press(ids[who], save, { at, form, dialog: 'SUBMIT' })
            },
          }
        },
        refusalFor: async (who) => JSON.stringify(await dialogFor(who)),
      }
    },
  }
}
