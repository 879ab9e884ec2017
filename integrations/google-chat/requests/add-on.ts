import * as v from 'valibot'
import type { Received, Reply } from '../../kit/requests/received.ts'
import { paragraph } from '../messages/cards.ts'
import { textForCard } from '../messages/text.ts'
import type { Settings } from '../settings.ts'
import type { Event } from './event.ts'
import { noReply } from './reply.ts'

// A Chat app that is built as a Google Workspace add-on gets other events and replies in another format. Sources:
// https://developers.google.com/workspace/add-ons/concepts/event-objects#chat-event-object,
// https://developers.google.com/workspace/add-ons/chat/convert and
// https://developers.google.com/workspace/add-ons/chat/dialogs

const Fields = v.record(v.string(), v.unknown())
const AddOnEvent = v.object({ commonEventObject: v.nullish(Fields), chat: Fields })
const Command = v.object({ appCommandMetadata: v.object({ appCommandType: v.string() }) })

/** The types of events, by the name of what an event of an add-on contains. */
const types: Partial<Record<string, string>> = {
  messagePayload: 'MESSAGE',
  appCommandPayload: 'APP_COMMAND',
  buttonClickedPayload: 'CARD_CLICKED',
  addedToSpacePayload: 'ADDED_TO_SPACE',
  removedFromSpacePayload: 'REMOVED_FROM_SPACE',
  widgetUpdatedPayload: 'WIDGET_UPDATED',
}

/** An event of an add-on with the fields that other Chat apps get; undefined for an event of another app. */
export function readAddOnEvent(payload: object): Record<string, unknown> | undefined {
  const parsed = v.safeParse(AddOnEvent, payload)
  if (!parsed.success) return undefined
  const { chat, commonEventObject: common } = parsed.output
  const name = Object.keys(chat).find((key) => key.endsWith('Payload')) ?? 'chat'
  const content = v.parse(v.fallback(Fields, {}), chat[name])
  return {
    ...content,
    type: isSlashCommand(content) ? 'MESSAGE' : (types[name] ?? name),
    // The documentation has it as a boolean and as a text.
    isDialogEvent: String(content['isDialogEvent']) === 'true',
    user: chat['user'],
    eventTime: chat['eventTime'],
    common,
  }
}

/** The message of a slash command begins with it, as in the events of other apps. */
const isSlashCommand = (content: object): boolean =>
  v.is(Command, content) && content.appCommandMetadata.appCommandType === 'SLASH_COMMAND'

/** The parameter of a button with its function, because an add-on has an address in place of it. */
const functionParameter = 'function'
/** The same for a message that the app has sent before it became an add-on. */
const earlierParameter = '__action_method_name__'

/** The function of the button that a person has used. */
export function functionOf({ common }: Event): string {
  const { invokedFunction = '', parameters = {} } = common ?? {}
  return parameters[functionParameter] ?? parameters[earlierParameter] ?? invokedFunction
}

const Action = v.looseObject({
  function: v.string(),
  parameters: v.array(v.object({ key: v.string(), value: v.string() })),
})

/** Cards with buttons that call an address, as those of an add-on do. */
export const withAddress = (body: object, address: string): object =>
  JSON.parse(
    JSON.stringify(body, (key, value) => {
      if (key !== 'action' || !v.is(Action, value)) return value
      const name = { key: functionParameter, value: value.function }
      return { ...value, function: address, parameters: [name, ...value.parameters] }
    }),
  )

const DialogCard = v.object({
  actionResponse: v.object({ dialogAction: v.object({ dialog: v.object({ body: Fields }) }) }),
})
const DialogStatus = v.object({
  actionResponse: v.object({
    dialogAction: v.object({
      actionStatus: v.object({
        statusCode: v.string(),
        userFacingMessage: v.exactOptional(v.string()),
      }),
    }),
  }),
})

/** The result for an event of an add-on, with a reply in its format; it is stored that the app is one. */
export function resultForAddOn<Stored>(
  received: Received<Stored>,
  event: Event,
  { url, settings }: { url: URL; settings: Settings },
): Received<Stored> {
  if (received.kind === 'events' || !('reply' in received) || received.kind === 'disconnected')
    return received
  const reply = addOnReply(received.reply ?? noReply, event, url.origin + url.pathname)
  if (received.kind === 'ignored') return { ...received, reply }
  const isNew = settings.built_as === undefined
  return { ...received, reply, ...(isNew && { providerSettings: { built_as: 'add_on' } }) }
}

function addOnReply({ body = {} }: Reply, event: Event, address: string): Reply {
  const opened = v.safeParse(DialogCard, body)
  if (opened.success)
    return pushCard(opened.output.actionResponse.dialogAction.dialog.body, address)
  const status = v.safeParse(DialogStatus, body)
  if (status.success) {
    const { statusCode, userFacingMessage } = status.output.actionResponse.dialogAction.actionStatus
    return statusReply(event, statusCode === 'OK', userFacingMessage)
  }
  if (typeof body === 'string' || Object.keys(body).length === 0) return noReply
  const message = withAddress(body, address)
  return { body: { hostAppDataAction: { chatDataAction: { createMessageAction: { message } } } } }
}

const pushCard = (card: object, address: string): Reply => ({
  body: { action: { navigations: [{ pushCard: withAddress(card, address) }] } },
})

/** A sentence of a dialog: where Google has asked for one it is the dialog, otherwise a notification. */
function statusReply(event: Event, isDone: boolean, text?: string): Reply {
  if (event.dialogEventType === 'REQUEST_DIALOG' && text !== undefined)
    return pushCard({ sections: [{ widgets: [paragraph(textForCard(text))] }] }, '')
  const close = isDone ? { navigations: [{ endNavigation: { action: 'CLOSE_DIALOG' } }] } : {}
  return { body: { action: { ...close, ...(text !== undefined && { notification: { text } }) } } }
}
