import { randomBytes } from 'node:crypto'
import type { DraftRequest } from '../../contract/blocks/ai-draft.ts'
import type { ContentBlock } from '../../contract/blocks/content-block.ts'
import type { NewBlock } from '../../contract/blocks/input.ts'
import { utcDay, utcMonth } from '../../lib/clock.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { withKeyTransaction } from '../api-keys/index.ts'
import { createBlock } from '../content-blocks/index.ts'
import { listEventWarnings } from '../events/index.ts'
import {
  completeIdempotencyKey,
  type IdempotencyKey,
  type IdempotencyLock,
  lockIdempotencyKey,
  releaseIdempotencyKey,
} from '../idempotency/index.ts'
import { requireRoleLock } from '../members/index.ts'
import { getVoice } from '../teams/index.ts'
import type { GeneratedText } from './ask-model.ts'
import {
  aiUnavailable,
  generationTimeoutMs,
  type OnPartial,
  type TextGenerator,
  unusableResponse,
} from './generate.ts'
import { buildPrompt, readDraft, readPartial } from './prompt.ts'
import { releaseDraft, reserveDraft, type UsagePeriod } from './sql.ts'
import { type Suggestion, type SuggestionSource, suggestionRequest } from './suggestion.ts'

interface NewDraft {
  request: DraftRequest
  /** The Idempotency-Key of the request, if it has one. */
  idempotencyKey?: IdempotencyKey | null
  /** Aborts the work when the caller has closed the connection. */
  signal: AbortSignal
  /** Gets the title and the body as plain text while the model writes them. */
  onPartial?: OnPartial | undefined
}

export interface AiDrafts {
  /** Whether the operator has configured an AI provider. */
  available: boolean
  /**
   * Asks a language model for a draft and stores it. Throws `ai_unavailable`, `ai_limit_reached`,
   * `revoked_key`, `request_in_progress` and `idempotency_key_reused`; none of these errors counts
   * towards the monthly limit.
   */
  create(ctx: Context, input: NewDraft): Promise<Drafted>
  /**
   * Asks a language model for a better text of a block, and stores nothing. Counts as a draft. Throws
   * `ai_unavailable` and `ai_limit_reached`.
   */
  suggest(
    ctx: Context,
    input: Omit<NewDraft, 'request' | 'idempotencyKey'> & { block: SuggestionSource },
  ): Promise<Suggestion>
}

interface Drafted extends StoredDraft {
  /** True when an earlier request with the same Idempotency-Key created the block. */
  replayed: boolean
}

/** A draft as it is stored for a repeated request. */
interface StoredDraft {
  block: ContentBlock
  /** What is unexpected about the request, such as an event that the team does not have. */
  warnings: string[]
}

export interface AiDraftOptions {
  /** Null when the operator has configured none. */
  generateText: TextGenerator | null
  /** How many drafts a team may create in a calendar month; -1 is unlimited. */
  limitOf(teamId: string): Promise<number>
  /** A random word that the input cannot contain. */
  newBoundary?: () => string
}

/** Idempotency keys are unique per API key and path; only this path creates drafts with a key. */
export const draftPath = '/content_blocks/ai_draft'
// Longer than any draft can take: a lock that still exists then belongs to a process that died.
const lockSeconds = generationTimeoutMs / 1000 + 60

/** What is reserved before the model is asked: one draft of the month, and the Idempotency-Key. */
interface Reservation {
  usage: UsagePeriod
  lock: IdempotencyLock | null
}

const randomWord = () => randomBytes(16).toString('hex')

/**
 * Drafts by a language model. No transaction is open while the model works: the first one reserves,
 * the last one stores, and both lock the caller's key, the last one also the member. When a process dies in
 * between, the draft stays counted.
 */
export function createAiDrafts(options: AiDraftOptions): AiDrafts {
  const { generateText, limitOf, newBoundary = randomWord } = options
  const write = async (
    ctx: Context,
    { request, signal, onPartial }: Omit<NewDraft, 'idempotencyKey'>,
  ) => {
    if (!generateText) throw notConfigured()
    const boundary = newBoundary()
    const voice = await getVoice(ctx.sql, ctx.actor.teamId)
    const prompt = buildPrompt(request, voice, boundary)
    const readable =
      onPartial && ((partial: GeneratedText) => onPartial(readPartial(partial, boundary)))
    const draft = readDraft(await generateText(prompt, signal, readable), request, boundary)
    if (!draft) throw unusableResponse(new Error('the response makes no block'))
    return draft
  }
  return {
    available: generateText !== null,
    async create(ctx, { request, idempotencyKey = null, ...work }) {
      if (!generateText) throw notConfigured()
      const limit = await limitOf(ctx.actor.teamId)
      const reservation = reservationFor(ctx, idempotencyKey)
      const earlier = await reserve(ctx, { ...reservation, limit })
      if (earlier) return { ...earlier, replayed: true }
      return await withReservation(ctx, reservation, async () => {
        const draft = await write(ctx, { request, ...work })
        return { ...(await storeDraft(ctx, { ...reservation, draft })), replayed: false }
      })
    },
    async suggest(ctx, { block, ...work }) {
      if (!generateText) throw notConfigured()
      const limit = await limitOf(ctx.actor.teamId)
      return await runAsDraft(ctx, limit, async () => {
        const request = suggestionRequest(block)
        const { title, body } = await write(ctx, { request, ...work })
        return { title, body }
      })
    },
  }
}

/** Runs `work`, which counts as a draft of the month unless it fails. Throws `ai_limit_reached`. */
export async function runAsDraft<T>(
  ctx: Context,
  limit: number,
  work: () => Promise<T>,
): Promise<T> {
  const reservation = reservationFor(ctx, null)
  await reserve(ctx, { ...reservation, limit })
  return await withReservation(ctx, reservation, work)
}

/** Runs `work`; when it fails, the draft is not counted. */
async function withReservation<T>(
  ctx: Context,
  reservation: Reservation,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await release(ctx, reservation)
    throw error
  }
}

function reservationFor(
  { actor, now }: Context,
  idempotencyKey: IdempotencyKey | null,
): Reservation {
  const usage = { teamId: actor.teamId, period: utcDay(utcMonth(now()).start) }
  if (!idempotencyKey || actor.kind !== 'key') return { usage, lock: null }
  const scope = { keyId: actor.keyId, path: draftPath }
  return { usage, lock: { scope, idempotencyKey, owner: crypto.randomUUID() } }
}

/** Stores a reservation, or returns the draft that an earlier request with the same Idempotency-Key created. */
async function reserve(
  ctx: Context,
  { usage, lock, limit }: Reservation & { limit: number },
): Promise<StoredDraft | undefined> {
  return await withKeyTransaction(ctx, async (txCtx) => {
    const earlier = lock && (await lockIdempotencyKey(txCtx, { ...lock, seconds: lockSeconds }))
    if (earlier) return storedDraftOf(earlier.response_body)
    if (!(await reserveDraft(txCtx.sql, usage, limit))) throw limitReached(limit, txCtx.now())
    return undefined
  })
}

/**
 * Stores the block and the response for a repeated request. A key that was revoked and a member who was removed
 * meanwhile store nothing.
 */
async function storeDraft(
  ctx: Context,
  { lock, draft }: Reservation & { draft: NewBlock },
): Promise<StoredDraft> {
  return await withKeyTransaction(ctx, async (txCtx) => {
    await requireRoleLock(txCtx, ['admin', 'editor'])
    const block = await createBlock(txCtx, { ...draft, source: 'ai_draft' })
    const warnings = draft.event_slug ? await listEventWarnings(txCtx, draft.event_slug) : []
    const stored = { block, warnings }
    const response = { status: 201, location: null, etag: null, response_body: stored }
    if (lock) await completeIdempotencyKey(txCtx, { ...lock, response })
    return stored
  })
}

/** Undoes `reserve`. When the database is unavailable too, the draft stays counted and the lock expires. */
async function release(ctx: Context, { usage, lock }: Reservation): Promise<void> {
  const released = inTransaction(ctx, async (txCtx) => {
    if (lock) await releaseIdempotencyKey(txCtx, lock)
    await releaseDraft(txCtx.sql, usage)
  })
  await withDeadline(released).catch(() => {})
}

/** Sound because only `storeDraft` stores a response under this path. Earlier versions stored the block alone. */
function storedDraftOf(body: unknown): StoredDraft {
  const stored = body as StoredDraft | ContentBlock
  return 'block' in stored ? stored : { block: stored, warnings: [] }
}

function notConfigured(): AppError {
  const message = 'AI drafting is not set up here: the operator has named no provider.'
  return aiUnavailable(message, { retryAfterSeconds: 3600 })
}

function limitReached(limit: number, at: Date): AppError {
  const { end } = utcMonth(at)
  return new AppError(
    'ai_limit_reached',
    `The team has used its ${limit} AI drafts of this month. The next month begins on ${utcDay(end)}.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((end.getTime() - at.getTime()) / 1000)) },
  )
}
