import { actionOfButton, buttonNames, emptyForm } from '../../kit/chat/buttons.ts'
import { type Confirmation, confirmationOf } from '../../kit/chat/messages/confirmation.ts'
import { nameFromLogin } from '../../kit/item.ts'
import type { Received } from '../../kit/requests/received.ts'
import { nameForLogs, unauthorized } from '../../kit/requests/webhook-request.ts'
import { shortHash } from '../../kit/text/plain-text.ts'
import { undoNews } from '../messages/notify.ts'
import { signedParts } from '../messages/post.ts'
import { noReply } from '../messages/reply.ts'
import { isSigned } from '../signature.ts'
import type { EphemeralContext, MattermostEvent } from '../stored-event.ts'
import type { RequestContext } from './context.ts'
import { type DialogState, isTriggerFor, openDialog } from './dialog.ts'
import { openDraft } from './edit-form.ts'
import { openForm } from './form.ts'
import { type MattermostFollowUp, openWithTrigger } from './open-with-trigger.ts'
import type { ButtonClick } from './request.ts'

/**
 * The result of a button. Mattermost does not sign such a request: our signature says that the button is ours, and the
 * trigger, which the server signs, names the person.
 */
export function receiveButtonClick(
  click: ButtonClick,
  context: RequestContext,
): Received<MattermostEvent> {
  const { name, value, message, signature } = click.context
  const { trigger_id: trigger, user_id: user } = click
  if (!isSigned(signedParts(message, name, value), signature, context)) return unauthorized
  if (!isTriggerFor(trigger, user)) return unauthorized
  const address = addressOf(click, context)
  switch (name) {
    case undoNews:
      return receiveUndo(click, address)
    case buttonNames.openForm: {
      const form =
        value === emptyForm
          ? ({ blockType: 'general' } as const)
          : ({ blockType: 'wins_milestones', prompt: value } as const)
      return opened(openForm({ trigger, address, ...form }, context))
    }
    case buttonNames.edit:
      return opened(openDraft({ trigger, address, blockId: value }, context))
    default:
      return receiveAction(click, address, context)
  }
}

const opened = (after: MattermostFollowUp): Received<MattermostEvent> => ({
  kind: 'immediateReply',
  reply: noReply,
  after,
})

const addressOf = (
  { user_id, user_name, trigger_id }: ButtonClick,
  { now }: RequestContext,
): EphemeralContext => ({
  since: now.toISOString(),
  user: user_id,
  name: nameFromLogin(user_name),
  trigger: trigger_id,
  thanked: [],
  isShown: true,
})

/** Only the person for whom the button was made can use it. */
function receiveUndo(click: ButtonClick, address: EphemeralContext): Received<MattermostEvent> {
  const { value: external_id, message } = click.context
  if (message !== click.user_id) return unauthorized
  return {
    kind: 'event',
    deliveryId: clickId(click),
    event: { type: 'undo', external_id },
    ephemeralContext: address,
    reply: noReply,
  }
}

/** The id of the use of a button, which has a trigger of its own. */
const clickId = ({ trigger_id, context: { name, value } }: ButtonClick) =>
  `button:${shortHash(`${trigger_id} ${name} ${value}`)}`

function receiveAction(
  click: ButtonClick,
  address: EphemeralContext,
  context: RequestContext,
): Received<MattermostEvent> {
  const { name, value } = click.context
  const action = actionOfButton(name, value)
  if (!action) return { kind: 'unknown', eventName: nameForLogs(`button:${name}`) }
  const question = confirmationOf(name, context.language)
  if (question) return opened(ask(question, click, { address, ...context }))
  return {
    kind: 'event',
    deliveryId: clickId(click),
    event: { type: 'action', action },
    ephemeralContext: address,
    reply: noReply,
  }
}

/** Asks the person to confirm the use of a button. */
const ask = (
  question: Confirmation,
  { trigger_id: trigger, user_id: user, user_name, context: { name, value } }: ButtonClick,
  { address, ...context }: RequestContext & { address: EphemeralContext },
): MattermostFollowUp =>
  openWithTrigger('not_opened', { trigger, address }, async (provider) => {
    const dialog = {
      title: question.title,
      introduction_text: question.text,
      elements: [],
      submit_label: question.label,
    }
    const state = {
      kind: 'confirm' as const,
      user,
      name: nameFromLogin(user_name),
      at: context.now.getTime(),
      id: shortHash(trigger),
      button: name,
      value,
    }
    await openDialog({ ...context, provider }, { trigger, dialog, state })
    return undefined
  })

/** The result of a confirmed button. */
export function receiveConfirmed(
  { id, user, name, button: used, value }: Extract<DialogState, { kind: 'confirm' }>,
  { now }: RequestContext,
): Received<MattermostEvent> {
  const action = actionOfButton(used, value)
  if (!action) return { kind: 'unknown', eventName: nameForLogs(`button:${used}`) }
  return {
    kind: 'event',
    deliveryId: `form:${id}`,
    event: { type: 'action', action },
    ephemeralContext: { since: now.toISOString(), user, name, isShown: true },
    reply: noReply,
  }
}
