import * as v from 'valibot'
import { dialogCard, requireGoogleCards } from './google-cards.ts'

// What Google sends to an app that is built as a Google Workspace add-on, and the replies that it accepts, written
// independently of the adapter. https://developers.google.com/workspace/add-ons/chat/convert

const payloads: Record<string, string> = {
  MESSAGE: 'messagePayload',
  APP_COMMAND: 'appCommandPayload',
  CARD_CLICKED: 'buttonClickedPayload',
  ADDED_TO_SPACE: 'addedToSpacePayload',
}

/** The event of an add-on for that of another app. */
export function addOnEvent({ type, user, eventTime, common, ...content }: Record<string, unknown>) {
  const { invokedFunction, ...shared } = Object(common)
  const isCommand = String(Object(content['message']).text).startsWith('/')
  const metadata = { appCommandMetadata: { appCommandId: '1', appCommandType: 'SLASH_COMMAND' } }
  const name = isCommand ? 'appCommandPayload' : (payloads[String(type)] ?? 'otherPayload')
  return {
    commonEventObject: { hostApp: 'CHAT', platform: 'WEB', ...shared },
    authorizationEventObject: { systemIdToken: 'token' },
    chat: { user, eventTime, [name]: { ...content, ...(isCommand && metadata) } },
  }
}

const text = v.pipe(v.string(), v.nonEmpty())
const Message = v.strictObject({
  text: v.optional(text),
  cardsV2: v.optional(v.array(v.unknown()), []),
  privateMessageViewer: v.optional(v.strictObject({ name: text })),
})
const Reply = v.union([
  v.strictObject({}),
  v.strictObject({
    hostAppDataAction: v.strictObject({
      chatDataAction: v.strictObject({ createMessageAction: v.strictObject({ message: Message }) }),
    }),
  }),
  v.strictObject({
    action: v.strictObject({
      navigations: v.optional(
        v.tuple([
          v.union([
            v.strictObject({ pushCard: dialogCard }),
            v.strictObject({
              endNavigation: v.strictObject({ action: v.literal('CLOSE_DIALOG') }),
            }),
          ]),
        ]),
      ),
      notification: v.optional(v.strictObject({ text })),
    }),
  }),
])

/** Throws unless this is a reply that Google accepts, whose buttons call `address`. Returns its message or its card. */
export function addOnReply(body: unknown, address: string): unknown {
  const reply = v.parse(Reply, body)
  JSON.stringify(reply, (key, value) => {
    if (key === 'function' && value !== address) throw new Error(`the button calls ${value}`)
    return value
  })
  if ('hostAppDataAction' in reply && reply.hostAppDataAction) {
    const { message } = reply.hostAppDataAction.chatDataAction.createMessageAction
    requireGoogleCards(message.cardsV2)
    return message
  }
  const [navigation] = ('action' in reply && reply.action?.navigations) || []
  return navigation && 'pushCard' in navigation ? navigation.pushCard : reply
}
