import type { App, ViewOutput, ViewSubmitAction } from '@slack/bolt'
import * as v from 'valibot'
import {
  maxBodyBytes,
  maxTitleCharacters,
  singleLineText,
  slug,
  text,
} from '../../../src/contract/text.ts'
import { blockTypes } from '../../../src/contract/vocabulary.ts'
import { parseMrkdwn } from '../../kit/markdown/mrkdwn.ts'
import { normalizeText, oneLine } from '../../kit/text.ts'
import { imageIn } from '../files.ts'
import { type EphemeralContext, removeUserIds, type SlackEvent } from '../stored-event.ts'
import { type FormNotes, field, formCallback, readNotes } from './modal.ts'
import type { SlackRequest, SlackResult } from './request-result.ts'

const Filled = v.object({
  title: singleLineText(maxTitleCharacters),
  body: text(maxBodyBytes),
  block_type: v.fallback(v.picklist(blockTypes), 'general'),
  news_event: v.optional(slug),
})

const labels: Record<string, string> = { title: 'Title', body: 'Text', news_event: 'Event' }

/** The maximum length of an option in Slack. */
const optionCharacters = 75

/** Listens for the submitted form and for its search for an event. */
export function listenForForms(app: App, request: SlackRequest): void {
  app.view<ViewSubmitAction>(formCallback, async ({ body, view, ack }) => {
    const filled = v.safeParse(Filled, valuesOf(view))
    if (!filled.success) {
      request.setResult({ kind: 'immediateReply' })
      return ack({ response_action: 'errors', errors: errorsOf(filled.issues) })
    }
    request.setResult(news(body, filled.output, request))
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

function valuesOf({ state }: ViewOutput) {
  const input = (name: string) => state.values[name]?.[name]
  return {
    // The title is not cut, so that the form reports one that is too long.
    title: oneLine(input(field.title)?.value ?? '', Number.POSITIVE_INFINITY),
    body: normalizeText(input(field.body)?.value ?? ''),
    block_type: input(field.type)?.selected_option?.value,
    news_event: input(field.event)?.selected_option?.value,
  }
}

function errorsOf(issues: readonly v.BaseIssue<unknown>[]): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const issue of issues) {
    const name = v.getDotPath(issue) ?? field.title
    errors[name] ??= `${labels[name] ?? 'This'} ${issue.message}.`
  }
  return errors
}

function news(
  { user, view }: ViewSubmitAction,
  filled: v.InferOutput<typeof Filled>,
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
