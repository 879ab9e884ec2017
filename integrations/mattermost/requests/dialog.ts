import * as v from 'valibot'
import { callMattermost, type MattermostContext } from '../api.ts'
import { isSigned, type Signer, signParts } from '../signature.ts'
import type { Submission } from './request.ts'
import { readTrigger } from './trigger-id.ts'

const maxAgeMs = 24 * 60 * 60_000

const opened = {
  /** The person for whom the form was opened. */
  user: v.string(),
  name: v.string(),
  /** When it was opened, in milliseconds. */
  at: v.number(),
  /** Identifies the opened form. */
  id: v.string(),
}

/** What a form is about. Mattermost returns it with the form, to the person and to us. */
const DialogState = v.variant('kind', [
  v.object({
    kind: v.literal('news'),
    ...opened,
    prompt: v.exactOptional(v.string()),
    /** Where replies to the command that opened the form are sent. */
    response_url: v.exactOptional(v.string()),
  }),
  v.object({
    kind: v.literal('edit'),
    ...opened,
    block: v.string(),
    version: v.number(),
    hasText: v.boolean(),
  }),
  v.object({ kind: v.literal('confirm'), ...opened, button: v.string(), value: v.string() }),
])
export type DialogState = v.InferOutput<typeof DialogState>

interface Element {
  display_name: string
  name: string
  type: 'text' | 'textarea' | 'select'
  default?: string
  help_text?: string
  optional?: boolean
  max_length?: number
  options?: { text: string; value: string }[]
}

/** A form. Without elements, it is a question with a button. */
export interface Dialog {
  title: string
  introduction_text?: string
  elements: Element[]
  submit_label: string
}

/**
 * Opens a form for the person of a trigger. Mattermost verifies the trigger, so that nobody else gets the form and its
 * state. Throws a `ProviderError`.
 * Source: https://developers.mattermost.com/integrate/plugins/interactive-dialogs
 */
export async function openDialog(
  context: MattermostContext & { webhookUrl: URL },
  { trigger, dialog, state }: { trigger: string; dialog: Dialog; state: DialogState },
): Promise<void> {
  const body = {
    trigger_id: trigger,
    url: context.webhookUrl.href,
    dialog: { callback_id: state.kind, ...dialog, state: writeState(state, context) },
  }
  const call = { method: 'POST', path: 'actions/dialogs/open', body } as const
  await callMattermost(context, call, v.unknown())
}

/** Whether a trigger names this person, so that a form for them can be opened with it. */
export const isTriggerFor = (trigger: string, user: string): boolean =>
  readTrigger(trigger)?.user === user

function writeState(state: DialogState, signer: Signer): string {
  const text = Buffer.from(JSON.stringify(state)).toString('base64url')
  return `${text}.${signParts(['state', text], signer)}`
}

const ReadState = v.pipe(v.string(), v.parseJson(), DialogState)

/** What a submitted form is about; null when we have not opened it for this person, and `expired` after a day. */
export function stateOf(
  { state, user_id }: Submission,
  signer: Signer & { now: Date },
): DialogState | 'expired' | null {
  const [text = '', signature = ''] = state.split('.')
  if (!isSigned(['state', text], signature, signer)) return null
  const read = v.safeParse(ReadState, Buffer.from(text, 'base64url').toString())
  if (!read.success || read.output.user !== user_id) return null
  return signer.now.getTime() - read.output.at > maxAgeMs ? 'expired' : read.output
}
