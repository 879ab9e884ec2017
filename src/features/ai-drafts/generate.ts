import { AppError, codeOf, type ErrorDetails } from '../../lib/errors.ts'
import { measure, timed } from '../../lib/measurements.ts'
import {
  type AiProviderSettings,
  ask,
  askStreaming,
  type GeneratedText,
  NotStreamedError,
  type OutputFormat,
  type Prompt,
  type Question,
  textFormat,
} from './ask-model.ts'

/** Gets what a model has written so far. */
export type OnPartial = (partial: GeneratedText) => void

/**
 * Asks a model. With `onPartial`, the response is streamed. Throws `ai_unavailable` for every kind of
 * failure.
 */
export type TextGenerator = (
  prompt: Prompt,
  signal: AbortSignal,
  onPartial?: OnPartial,
) => Promise<GeneratedText>

/** Asks a model for output in a format. Throws `ai_unavailable` for every kind of failure. */
export type ObjectGenerator = <Output>(
  prompt: Prompt,
  format: OutputFormat<Output>,
  signal: AbortSignal,
) => Promise<Output>

export const generationTimeoutMs = 30_000
/** Longer, because people see that the model is writing. */
const streamTimeoutMs = 60_000

/**
 * A model behind an OpenAI-compatible endpoint. It is asked for structured output; an endpoint that
 * refuses this is asked once more without it, and one that fails is asked once more. Redirects are
 * not followed, so that the key and the text go only to the operator's endpoint.
 */
export function createTextGenerator(settings: AiProviderSettings): TextGenerator {
  const limited = createLimit(settings)
  return async (prompt, signal, onPartial) => {
    const timeoutMs = onPartial ? streamTimeoutMs : generationTimeoutMs
    return await limited({ signal, timeoutMs }, (deadline) => {
      const question = { prompt, signal: deadline, structured: true }
      return onPartial
        ? askStreamingTwice(settings, question, onPartial)
        : askTwice(settings, question, textFormat)
    })
  }
}

/** The same for output in any format, without parts of it. */
export function createObjectGenerator(settings: AiProviderSettings): ObjectGenerator {
  const limited = createLimit(settings)
  return async (prompt, format, signal) =>
    await limited({ signal, timeoutMs: generationTimeoutMs }, (deadline) =>
      askTwice(settings, { prompt, signal: deadline, structured: true }, format),
    )
}

/** Limits how many calls run at the same time, and how long each takes. */
function createLimit({ atOnce = 20, timeoutMs: configuredMs }: AiProviderSettings) {
  let running = 0
  return async <Output>(
    { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
    work: (signal: AbortSignal) => Promise<Output>,
  ): Promise<Output> => {
    if (running >= atOnce) throw aiUnavailable('Too many drafts are being written at the moment.')
    running++
    try {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(configuredMs ?? timeoutMs)])
      return await timed(
        () => work(deadline),
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

async function askTwice<Output>(
  settings: AiProviderSettings,
  question: Question,
  format: OutputFormat<Output>,
): Promise<Output> {
  try {
    return await ask(settings, question, format)
  } catch (error) {
    if (!isWorthAnother(error)) throw error
    return await ask(settings, { ...question, structured: !isRefusal(error) }, format)
  }
}

async function askStreamingTwice(
  settings: AiProviderSettings,
  question: Question,
  onPartial: OnPartial,
): Promise<GeneratedText> {
  let hasPartial = false
  try {
    return await askStreaming(settings, question, (partial) => {
      hasPartial = true
      onPartial(partial)
    })
  } catch (error) {
    // A person has seen the beginning: another text must not replace it.
    if (hasPartial || !(isWorthAnother(error) || error instanceof NotStreamedError)) throw error
    return await ask(settings, { ...question, structured: !isRefusal(error) }, textFormat)
  }
}

/** Whether an endpoint refuses the request, such as its structured output. */
const isRefusal = (error: unknown) => [400, 422].includes(statusOf(error))

const isWorthAnother = (error: unknown) => isRefusal(error) || isPassing(error)

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
 * headers and the response, so they are used in this file only.
 */
function describe(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('not an error')
  const known = [error.name, statusOf(error) || undefined, codeOf(error.cause)]
  return new Error(known.filter((part) => /^\w+$/.test(String(part ?? ''))).join(' '))
}
