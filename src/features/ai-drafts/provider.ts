import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { AppError, type ErrorDetails } from '../../lib/errors.ts'
import { measure, timed } from '../../lib/measurements.ts'

/** What a model is asked: rules that never change, and a message with the material. */
export interface Prompt {
  rules: string
  message: string
}

const parts = { title: v.string(), body: v.string() }
const asked = v.strictObject(parts)

/** A model's answer: two strings with unknown content. Additional members are ignored. */
const GeneratedText = v.object(parts)
export type GeneratedText = v.InferOutput<typeof GeneratedText>

/** Asks a model. Throws `ai_unavailable` for every kind of failure. */
export type Provider = (prompt: Prompt, signal: AbortSignal) => Promise<GeneratedText>

export interface ProviderSettings {
  /** An OpenAI-compatible endpoint, such as `https://api.openai.com/v1`. */
  baseUrl: string
  apiKey: string | null
  model: string
  /** For the whole answer, a second attempt included. */
  timeoutMs?: number
  /** How many drafts this process asks for at the same time. */
  atOnce?: number
  request?: typeof fetch
}

export const providerTimeoutMs = 30_000
const largestAnswerBytes = 1024 * 1024

/**
 * A model behind an OpenAI-compatible endpoint. It is asked for structured output; an endpoint that
 * refuses this is asked once more without it, and one that fails is asked once more. Redirects are
 * not followed, so that the key and the text go only to the operator's endpoint.
 */
export function createProvider(settings: ProviderSettings): Provider {
  const { timeoutMs = providerTimeoutMs, atOnce = 20 } = settings
  let running = 0
  return async (prompt, signal) => {
    if (running >= atOnce) throw aiUnavailable('Too many drafts are being written at the moment.')
    running++
    try {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      return await timed(
        () => askTwice(settings, prompt, deadline),
        (seconds, isDone) =>
          measure('aiRequest', { outcome: isDone ? 'succeeded' : 'failed', seconds }),
      )
    } catch (error) {
      throw unusableResponse(describe(error))
    } finally {
      running--
    }
  }
}

async function askTwice(settings: ProviderSettings, prompt: Prompt, signal: AbortSignal) {
  try {
    return await ask(settings, prompt, signal, { structured: true })
  } catch (error) {
    const status = statusOf(error)
    const refused = status === 400 || status === 422
    if (!refused && !isPassing(error)) throw error
    return await ask(settings, prompt, signal, { structured: !refused })
  }
}

async function ask(
  { baseUrl, apiKey, model, request = fetch }: ProviderSettings,
  { rules, message }: Prompt,
  abortSignal: AbortSignal,
  { structured }: { structured: boolean },
): Promise<GeneratedText> {
  // The library takes 26 MB of memory, so it is loaded only when a provider is configured.
  const [{ extractJsonMiddleware, generateText, jsonSchema, Output, wrapLanguageModel }, endpoint] =
    await Promise.all([import('ai'), import('@ai-sdk/openai-compatible')])
  const provider = endpoint.createOpenAICompatible({
    name: 'provider',
    baseURL: baseUrl,
    ...(apiKey !== null && { apiKey }),
    supportsStructuredOutputs: true,
    transformRequestBody: ({ response_format, ...body }) =>
      structured ? { ...body, response_format } : body,
    fetch: guarded(request),
  })
  const { output } = await generateText({
    model: wrapLanguageModel({
      model: provider(model),
      middleware: extractJsonMiddleware({ transform: jsonWithin }),
    }),
    instructions: rules,
    prompt: message,
    output: Output.object({ schema: jsonSchema(toJsonSchema(asked)), name: 'newsletter_item' }),
    maxRetries: 0,
    abortSignal,
  })
  // Checked here, because the library accepts what Valibot refuses (`ai` 7.0.173).
  return v.parse(GeneratedText, output)
}

/**
 * Models write text and code fences around their JSON: the result is between the outermost braces.
 */
const jsonWithin = (text: string) => text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)

/** Follows no redirect and reads no more than an answer can need. */
function guarded(request: typeof fetch): typeof fetch {
  const send = async (input: string | URL | Request, init?: RequestInit) => {
    const response = await request(input, { ...init, redirect: 'manual' })
    return new Response(await readCapped(response), { status: response.status })
  }
  return Object.assign(send, { preconnect: request.preconnect })
}

class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge'
}

async function readCapped(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > largestAnswerBytes) throw new AnswerTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The 503 when no provider is configured. */
export function aiUnavailable(message: string, details: ErrorDetails = {}): AppError {
  return new AppError('ai_unavailable', message, { retryAfterSeconds: 30, ...details })
}

/** The 503 when the provider has failed. `cause` is logged, so it contains no text of a person. */
export function unusableResponse(cause: Error): AppError {
  return aiUnavailable('The AI provider did not give a usable draft. Try again later.', { cause })
}

const statusOf = (error: unknown) =>
  error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : Number.NaN

/** A failure that another attempt may not have: a network error, or a 5xx of the endpoint. */
const isPassing = (error: unknown) =>
  error instanceof Error &&
  'isRetryable' in error &&
  error.isRetryable === true &&
  statusOf(error) !== 429

/**
 * The part of a failure that may be logged. The library's errors contain the request with its
 * headers and the answer, so they are used in this file only.
 */
function describe(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('not an error')
  const cause = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined
  const known = [error.name, statusOf(error) || undefined, cause]
  return new Error(known.filter((part) => /^\w+$/.test(String(part ?? ''))).join(' '))
}
