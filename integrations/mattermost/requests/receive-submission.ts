import { chatText } from '../../kit/chat/locales/index.ts'
import type { Received } from '../../kit/requests/received.ts'
import { unauthorized } from '../../kit/requests/webhook-request.ts'
import { noReply } from '../messages/reply.ts'
import type { MattermostEvent } from '../stored-event.ts'
import { receiveConfirmed } from './buttons.ts'
import type { RequestContext } from './context.ts'
import { stateOf } from './dialog.ts'
import { receiveDraft } from './edit-form.ts'
import { receiveForm } from './form.ts'
import type { Submission } from './request.ts'

/** The result of a submitted form, which needs our signature and the person for whom it was opened. */
export function receiveSubmission(
  form: Submission,
  context: RequestContext,
): Received<MattermostEvent> {
  const state = stateOf(form, context)
  if (state === null) return unauthorized
  if (form.cancelled === true) return { kind: 'immediateReply', reply: noReply }
  if (state === 'expired') {
    const error = chatText(context.language, 'form_not_opened', { before: '/' })
    return { kind: 'immediateReply', reply: { body: { error } } }
  }
  switch (state.kind) {
    case 'news':
      return receiveForm(form, state, context)
    case 'edit':
      return receiveDraft(form, state, context)
    case 'confirm':
      return receiveConfirmed(state, context)
  }
}
