import * as v from 'valibot'

const optionalText = v.optional(v.string())

/** A button of a message. */
export type PostAction = v.InferOutput<typeof PostAction>
const PostAction = v.looseObject({
  id: optionalText,
  name: optionalText,
  type: optionalText,
  style: optionalText,
  integration: v.optional(
    v.object({ url: optionalText, context: v.optional(v.record(v.string(), v.unknown())) }),
  ),
})

export type PostAttachment = v.InferOutput<typeof PostAttachment>
export const PostAttachment = v.looseObject({
  text: optionalText,
  fallback: optionalText,
  image_url: v.optional(v.pipe(v.string(), v.url())),
  actions: v.optional(v.array(PostAction)),
})

/** A message as an app sends it. */
export type SentPost = v.InferOutput<typeof SentPost>
export const SentPost = v.object({
  channel_id: optionalText,
  message: optionalText,
  pending_post_id: optionalText,
  props: v.optional(v.looseObject({ attachments: v.optional(v.array(PostAttachment)) })),
})

const characters = (text: string) => [...text].length
const isId = (text: unknown) => typeof text === 'string' && /^[a-z0-9]{26}$/.test(text)
const styles = ['default', 'primary', 'success', 'good', 'warning', 'danger']

/** Properties that only Mattermost sets. */
const reserved = ['from_webhook', 'from_bot', 'override_username', 'override_icon_url']

/**
 * What Mattermost refuses or does not show of a message, by its published source:
 * https://github.com/mattermost/mattermost/blob/master/server/public/model/post.go and message_attachment.go. The limit of
 * the text is that of databases of old versions.
 */
export function postFaults({ channel_id, message = '', props = {} }: SentPost): string[] {
  const attachments = props.attachments ?? []
  const actions = attachments.flatMap((one) => one.actions ?? [])
  const ids = actions.map(({ id }) => id)
  return [
    ...(channel_id === undefined || isId(channel_id) ? [] : [`the channel "${channel_id}"`]),
    ...(message === '' && attachments.length === 0 ? ['an empty message'] : []),
    ...(characters(message) > 4_000 ? ['more than 4,000 characters'] : []),
    ...(/(?<![\w\\])@(?:all|channel|here|[a-z])/.test(textsOf(message, attachments))
      ? ['a mention']
      : []),
    ...(JSON.stringify(props).length > 8_000 * 4 ? ['props that are too long'] : []),
    ...(reserved.some((name) => name in props) ? ['a reserved property'] : []),
    ...(new Set(ids).size < ids.length ? ['two buttons with one id'] : []),
    ...attachments.flatMap((one) =>
      !one.text && !one.image_url && (one.actions ?? []).length === 0
        ? ['an empty attachment']
        : [],
    ),
    ...actions.flatMap(actionFaults),
  ]
}

const textsOf = (message: string, attachments: readonly PostAttachment[]) =>
  [message, ...attachments.map(({ text = '' }) => text)].join('\n')

function actionFaults({ id = '', name = '', type, style = '', integration }: PostAction): string[] {
  return [
    // The route of Mattermost for buttons takes no other ids.
    ...(/^[A-Za-z0-9]+$/.test(id) ? [] : [`the id "${id}" of a button`]),
    ...(name === '' ? ['a button without a name'] : []),
    ...(type === 'button' ? [] : ['an action that is not a button']),
    ...(styles.includes(style) ? [] : [`the style "${style}"`]),
    ...(/^https?:\/\//.test(integration?.url ?? '') ? [] : ['a button without an address']),
  ]
}

type DialogElement = v.InferOutput<typeof DialogElement>
const DialogElement = v.object({
  display_name: optionalText,
  name: optionalText,
  type: optionalText,
  default: optionalText,
  help_text: optionalText,
  min_length: v.optional(v.number()),
  max_length: v.optional(v.number()),
  options: v.optional(v.array(v.object({ text: optionalText, value: optionalText }))),
})

/** A form as an app opens it. */
export type OpenedDialog = v.InferOutput<typeof OpenedDialog>
export const OpenedDialog = v.object({
  trigger_id: optionalText,
  url: optionalText,
  dialog: v.object({
    callback_id: optionalText,
    title: optionalText,
    introduction_text: optionalText,
    elements: v.optional(v.array(DialogElement)),
    submit_label: optionalText,
    state: optionalText,
  }),
})

const Text = v.optional(v.string())

/** What Mattermost reads of a response to a command, a button and a form, by its source (command_response.go, integration_action.go). */
const responses = {
  command: v.strictObject({
    response_type: v.optional(v.picklist(['ephemeral', 'in_channel'])),
    text: Text,
    attachments: v.optional(v.array(PostAttachment)),
    skip_slack_parsing: v.optional(v.boolean()),
  }),
  button: v.strictObject({ ephemeral_text: Text, skip_slack_parsing: v.optional(v.boolean()) }),
  form: v.strictObject({ error: Text, errors: v.optional(v.record(v.string(), v.string())) }),
}

/** The response to a request that Mattermost does not understand. */
export function responseFaults(kind: keyof typeof responses, body: unknown): string[] {
  const { success, issues } = v.safeParse(responses[kind], body)
  return success ? [] : [`the response to a ${kind}: ${v.summarize(issues)}`]
}

const maxOf: Record<string, number> = { text: 150, textarea: 3_000, select: 3_000 }

/**
 * What Mattermost refuses or cuts off in a form:
 * https://github.com/mattermost/mattermost/blob/master/server/public/model/integration_action.go. The documentation counts
 * characters of titles and labels; the server counts bytes and only logs what is longer.
 */
export function dialogFaults({ url = '', dialog }: OpenedDialog): string[] {
  const { title = '', elements = [], state = '' } = dialog
  const names = elements.map(({ name }) => name)
  return [
    ...(/^https?:\/\/[^?]+$/.test(url) ? [] : ['a form without an address']),
    ...(title !== '' && characters(title) <= 24 ? [] : [`the title "${title}"`]),
    ...(state === '' ? ['a form without a state'] : []),
    ...(new Set(names).size < names.length ? ['two fields with one name'] : []),
    ...elements.flatMap(elementFaults),
  ]
}

function elementFaults(element: DialogElement): string[] {
  const { display_name = '', name = '', type = '', help_text = '', options = [] } = element
  const value = element.default ?? ''
  const max = maxOf[type]
  if (max === undefined) return [`a field of the type "${type}"`]
  return [
    ...(type === 'select' ? selectFaults(value, options) : []),
    ...(display_name !== '' && characters(display_name) <= 24
      ? []
      : [`the label "${display_name}"`]),
    ...(name === '' ? ['a field without a name'] : []),
    ...(Buffer.byteLength(help_text) <= 150 ? [] : [`the hint "${help_text}"`]),
    ...(Buffer.byteLength(value) <= max ? [] : [`a value that is too long for ${type}`]),
    ...((element.max_length ?? 0) <= max ? [] : ['a limit that is too high']),
  ]
}

const selectFaults = (value: string, options: NonNullable<DialogElement['options']>) => [
  ...(value !== '' && !options.some((one) => one.value === value) ? ['a default'] : []),
  ...(options.some((one) => !one.text || !one.value) ? ['an empty option'] : []),
]
