import { toJsonSchema } from '@valibot/to-json-schema'
import type { InvalidResponseDataError, TextStreamPart, ToolSet } from 'ai'
import * as v from 'valibot'

/** What a model is asked: rules that never change, and a message with the material. */
export interface Prompt {
  rules: string
  message: string
}

/** What a model is asked to write: the schema that it gets, and the one that reads its response. */
export interface OutputFormat<Output> {
  /** The name of the schema in the request. */
  name: string
  asked: v.GenericSchema
  result: v.GenericSchema<unknown, Output>
}

const parts = { title: v.string(), body: v.string() }
const asked = v.strictObject(parts)

/** A model's response: two strings with unknown content. Additional members are ignored. */
const GeneratedText = v.object(parts)
export type GeneratedText = v.InferOutput<typeof GeneratedText>

/** The text of one item. */
export const textFormat: OutputFormat<GeneratedText> = {
  name: 'newsletter_item',
  asked,
  result: GeneratedText,
}

/** What a model has written so far. */
const PartialText = v.object({
  title: v.fallback(v.string(), ''),
  body: v.fallback(v.string(), ''),
})

export interface AiProviderSettings {
  /** An OpenAI-compatible endpoint, such as `https://api.openai.com/v1`. */
  baseUrl: string
  apiKey: string | null
  model: string
  /** For the whole response, a second attempt included. */
  timeoutMs?: number
  /** How many drafts this process asks for at the same time. */
  atOnce?: number
  request?: typeof fetch
}

export interface Question {
  prompt: Prompt
  signal: AbortSignal
  /** Asks for output that follows a JSON schema; some endpoints refuse this. */
  structured: boolean
}

const maxResponseBytes = 1024 * 1024

/** The call of a model, for both ways of asking. */
async function callOf(
  settings: AiProviderSettings,
  { prompt, signal, structured }: Question,
  format: Pick<OutputFormat<unknown>, 'name' | 'asked'>,
) {
  const { baseUrl, apiKey, model, request = fetch } = settings
  // The library takes 26 MB of memory, so it is loaded only when a provider is configured.
  const [ai, endpoint] = await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')])
  const provider = endpoint.createOpenAICompatible({
    name: 'provider',
    baseURL: baseUrl,
    ...(apiKey !== null && { apiKey }),
    supportsStructuredOutputs: true,
    transformRequestBody: ({ response_format, ...body }) =>
      structured ? { ...body, response_format } : body,
    fetch: guarded(request),
  })
  const schema = ai.jsonSchema(toJsonSchema(format.asked))
  const options = {
    instructions: prompt.rules,
    prompt: prompt.message,
    output: ai.Output.object({ schema, name: format.name }),
    maxRetries: 0,
    abortSignal: signal,
  }
  return { ai, model: provider(model), options }
}

/** Asks a model and returns its whole response. */
export async function ask<Output>(
  settings: AiProviderSettings,
  question: Question,
  format: OutputFormat<Output>,
): Promise<Output> {
  const { ai, model, options } = await callOf(settings, question, format)
  const middleware = ai.extractJsonMiddleware({ transform: jsonWithin })
  const { output } = await ai.generateText({
    ...options,
    model: ai.wrapLanguageModel({ model, middleware }),
  })
  // Checked here, because the library accepts what Valibot refuses (`ai` 7.0.173).
  return v.parse(format.result, output)
}

/** The endpoint sent no stream, although it was asked for one. */
export class NotStreamedError extends Error {
  override name = 'NotStreamedError'
}

/** How many characters a model writes between two calls of `onPartial`. */
const partialCharacters = 24

/** Asks a model; `onPartial` gets what it has written so far. Returns the whole response. */
export async function askStreaming(
  settings: AiProviderSettings,
  question: Question,
  onPartial: (partial: GeneratedText) => void,
): Promise<GeneratedText> {
  const { ai, model, options } = await callOf(settings, question, textFormat)
  // Without a listener the library writes errors to the terminal; they are parts of the stream, too.
  const { stream } = ai.streamText({ ...options, model, onError: () => {} })
  let text = ''
  let reported = 0
  for await (const delta of deltasOf(stream, ai.InvalidResponseDataError)) {
    text += delta
    if (text.length - reported < partialCharacters) continue
    reported = text.length
    const { value } = await ai.parsePartialJson(text.slice(Math.max(text.indexOf('{'), 0)))
    const partial = v.safeParse(PartialText, value)
    if (partial.success) onPartial(partial.output)
  }
  return v.parse(v.pipe(v.string(), v.parseJson(), GeneratedText), jsonWithin(text))
}

/** The text of a stream in parts. Throws the error of the stream, and `NotStreamedError` for an empty one. */
async function* deltasOf(
  stream: AsyncIterable<TextStreamPart<ToolSet>>,
  { isInstance: isIncomplete }: Pick<typeof InvalidResponseDataError, 'isInstance'>,
): AsyncGenerator<string> {
  let isEmpty = true
  for await (const part of stream) {
    if (part.type === 'error') {
      throw isEmpty && isIncomplete(part.error) ? new NotStreamedError() : part.error
    }
    if (part.type === 'abort') throw new DOMException('The response was aborted.', 'AbortError')
    if (part.type !== 'text-delta') continue
    isEmpty = false
    yield part.text
  }
}

/**
 * Models write text and code fences around their JSON: the result is between the outermost braces.
 */
const jsonWithin = (text: string) => text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)

/** Follows no redirect and reads no more than a response can need. */
function guarded(request: typeof fetch): typeof fetch {
  const send = async (input: string | URL | Request, init?: RequestInit) => {
    const { body, status } = await request(input, { ...init, redirect: 'manual' })
    return new Response(body?.pipeThrough(limit()) ?? null, { status })
  }
  return Object.assign(send, { preconnect: request.preconnect })
}

class ResponseTooLargeError extends Error {
  override name = 'ResponseTooLargeError'
}

function limit(): TransformStream<Uint8Array, Uint8Array> {
  let length = 0
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.length
      if (length > maxResponseBytes) throw new ResponseTooLargeError()
      controller.enqueue(chunk)
    },
  })
}
