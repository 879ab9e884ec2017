import type { App, ViewOutput, ViewSubmitAction } from '@slack/bolt'
import * as v from 'valibot'
import { slug } from '../../../../src/contract/text.ts'
import { blockTypes, type Language } from '../../../../src/contract/vocabulary.ts'
import { readBody, readTitle } from '../../../kit/chat/forms/form-fields.ts'
import { parseMrkdwn } from '../../../kit/markdown/mrkdwn.ts'
import { oneLine } from '../../../kit/text/fit-length.ts'
import { type EphemeralContext, removeUserIds, type SlackEvent } from '../../events/stored-event.ts'
import { imageIn } from '../../files.ts'
import { optionCharacters } from '../../limits.ts'
import type { SlackRequest, SlackResult } from '../request-result.ts'
import { type FormNotes, field, formCallback, readNotes } from './modal.ts'

const Selected = v.object({
  block_type: v.fallback(v.picklist(blockTypes), 'general'),
  news_event: v.fallback(v.optional(slug), undefined),
})

/** A filled form. */
interface Filled extends v.InferOutput<typeof Selected> {
  title: string
  body: string
}

/** Listens for the submitted form and for its search for an event. */
export function listenForForms(app: App, request: SlackRequest): void {
  app.view<ViewSubmitAction>(formCallback, async ({ body, view, ack }) => {
    const filled = readForm(view, request.language)
    if ('errors' in filled) {
      request.setResult({ kind: 'immediateReply' })
      return ack({ response_action: 'errors', errors: filled.errors })
    }
    request.setResult(news(body, filled, request))
    // Only an empty response closes the form.
    return ack()
  })
  app.options(field.event, async ({ options, ack }) => {
    const events = await request.team.events(options.value)
    request.setResult({ kind: 'immediateReply' })
    await ack({
      options: events.slice(0, 100).map(({ slug, name }) => ({
        text: { type: 'plain_text', text: oneLine(name, optionCharacters) || slug },
        value: slug,
      })),
    })
  })
}

/** What a person has filled in, or what is wrong with it, by field. */
function readForm(
  { state }: ViewOutput,
  language: Language,
): Filled | { errors: Record<string, string> } {
  const input = (name: string) => state.values[name]?.[name]
  const title = readTitle(input(field.title)?.value, language)
  const body = readBody(input(field.body)?.value, language)
  if ('error' in title || 'error' in body) {
    return {
      errors: {
        ...('error' in title && { [field.title]: title.error }),
        ...('error' in body && { [field.body]: body.error }),
      },
    }
  }
  const selected = v.parse(Selected, {
    block_type: input(field.type)?.selected_option?.value,
    news_event: input(field.event)?.selected_option?.value,
  })
  return { ...selected, title: title.value, body: body.value }
}

function news(
  { user, view }: ViewSubmitAction,
  filled: Filled,
  { now, language }: SlackRequest,
): SlackResult {
  const notes = readNotes(view.private_metadata)
  const people: string[] = []
  const quoted = notes.channel !== undefined
  // The author of a saved message stays its author; the person who wrote in an empty form is the
  // author of that text.
  const author: { id?: string | undefined; name?: string | undefined } = quoted
    ? { id: notes.author_id, name: notes.author_name }
    : { id: user.id, name: oneLine(user.name ?? '') || undefined }
  const event: SlackEvent = {
    type: 'news',
    external_id: messageId(notes) ?? `slack:view:${view.id}`,
    block_type: filled.block_type,
    title: removeUserIds(parseMrkdwn(filled.title, language), people),
    body: removeUserIds(parseMrkdwn(filled.body, language), people),
    ...(filled.news_event && { event_slug: filled.news_event }),
    ...publicMessage(notes),
    ...imageIn(notes),
    ...(notes.is_private && { is_private: true }),
    ...(author.name && { author: author.name }),
  }
  return {
    kind: 'event',
    deliveryId: `view:${view.id}:${view.hash}`,
    event,
    ephemeralContext: {
      user: user.id,
      people,
      ...(author.id && { author: author.id }),
      ...placeOf(notes, now),
    },
  }
}

/** Where the person used the app, for the follow-up. */
const placeOf = (
  { response_url, since, source, channel, prompt, unread_id }: FormNotes,
  now: Date,
): Pick<EphemeralContext, 'response_url' | 'since' | 'source' | 'prompt' | 'unread_id'> => ({
  ...(response_url && { response_url }),
  since: since ?? now.toISOString(),
  ...((source ?? channel) && { source: source ?? channel }),
  ...(prompt && { prompt }),
  ...(unread_id && { unread_id }),
})

/** The message whose link Slack is asked for, if everybody in the workspace can open it. */
const publicMessage = ({ channel, message_ts, is_private }: FormNotes) =>
  channel && message_ts && !is_private ? { message: { channel, ts: message_ts } } : {}

const messageId = ({ channel, message_ts }: FormNotes) =>
  channel && message_ts ? `slack:message:${channel}:${message_ts}` : undefined
