import { randomBytes } from 'node:crypto'
import type { DraftRequest } from '../../contract/ai-draft.ts'
import type { NewBlock } from '../../contract/block-input.ts'
import type { ContentBlock } from '../../contract/content-block.ts'
import { type Now, utcDay, utcMonth } from '../../lib/clock.ts'
import { type Sql, transaction, withDeadline } from '../../lib/db.ts'
import { AppError } from '../../lib/errors.ts'
import { type KeyOwner, withKeyTransaction } from '../api-keys/index.ts'
import { createBlock } from '../content-blocks/index.ts'
import {
  completeIdempotencyKey,
  type IdempotencyKey,
  type LockedIdempotencyKey,
  lockIdempotencyKey,
  releaseIdempotencyKey,
} from '../idempotency/index.ts'
import { buildPrompt, readDraft } from './prompt.ts'
import { aiUnavailable, type Provider, providerTimeoutMs, unusableResponse } from './provider.ts'
import { releaseDraft, reserveDraft, type UsagePeriod } from './sql.ts'

export interface AiDrafts {
  /** Whether the operator has named a provider. */
  available: boolean
  /**
   * Has a model write a draft and stores it. `gone` ends the work when the caller has left. Throws
   * `ai_unavailable`, `ai_limit_reached`, `revoked_key`, `request_in_progress` and
   * `idempotency_key_reused`; none of them costs a draft.
   */
  create(
    caller: KeyOwner,
    request: DraftRequest,
    claim: IdempotencyKey | null,
    gone: AbortSignal,
  ): Promise<Drafted>
}

interface Drafted {
  block: ContentBlock
  /** The answer was given before, under the same Idempotency-Key. */
  replayed: boolean
}

export interface AiDraftOptions {
  sql: Sql
  now: Now
  /** Null: the operator has set none. */
  provider: Provider | null
  /** How many drafts a team may make in a calendar month; -1 is unlimited. */
  limitOf(teamId: string): Promise<number>
  /** A word that nobody can guess. */
  newBoundary?: () => string
}

/** Idempotency keys are unique per API key and path; all drafts come in by one door. */
const path = '/content_blocks/ai_draft'
// Longer than any draft can take: what is still held then belongs to a process that died.
const holdSeconds = providerTimeoutMs / 1000 + 60

/** What a draft has taken before the model is asked: one of the month, and its Idempotency-Key. */
interface Ticket {
  usage: UsagePeriod
  held: LockedIdempotencyKey | null
}

const randomWord = () => randomBytes(16).toString('hex')

/**
 * Drafts by a model. No transaction is open while it thinks: the first one reserves, the last one
 * stores, and both hold the caller's key. A process that dies in between costs its team one draft.
 */
export function createAiDrafts(options: AiDraftOptions): AiDrafts {
  const { sql, now, provider, limitOf, newBoundary = randomWord } = options
  return {
    available: provider !== null,
    async create(caller, request, claim, gone) {
      if (!provider) throw notConfigured()
      const limit = await limitOf(caller.teamId)
      const ticket = ticketFor(caller, claim, now())
      const earlier = await begin(sql, caller, ticket, limit, now())
      if (earlier) return { block: earlier, replayed: true }
      try {
        const boundary = newBoundary()
        const written = await provider(buildPrompt(request, boundary), gone)
        const draft = readDraft(written, request, boundary)
        if (!draft) throw unusableResponse(new Error('the answer makes no block'))
        return { block: await store(sql, now, caller, ticket, draft), replayed: false }
      } catch (error) {
        await giveBack(sql, ticket)
        throw error
      }
    },
  }
}

function ticketFor(caller: KeyOwner, claim: IdempotencyKey | null, at: Date): Ticket {
  const { teamId, keyId } = caller
  const scope = keyId !== null && { keyId, path }
  return {
    usage: { teamId, period: utcDay(utcMonth(at).start) },
    held: claim && scope ? { scope, claim, holder: crypto.randomUUID() } : null,
  }
}

/** Takes the ticket, or gives the block that an earlier request with the same Idempotency-Key made. */
async function begin(
  sql: Sql,
  caller: KeyOwner,
  { usage, held }: Ticket,
  limit: number,
  at: Date,
): Promise<ContentBlock | undefined> {
  return await withKeyTransaction(sql, caller, async (tx) => {
    const earlier = held && (await lockIdempotencyKey(tx, held, holdSeconds))
    if (earlier) return blockOf(earlier.answer)
    if (!(await reserveDraft(tx, usage, limit))) throw limitReached(limit, at)
    return undefined
  })
}

/** Stores the block and what a repeat is answered with; a key revoked meanwhile stores nothing. */
async function store(
  sql: Sql,
  now: Now,
  caller: KeyOwner,
  { held }: Ticket,
  draft: NewBlock,
): Promise<ContentBlock> {
  return await withKeyTransaction(sql, caller, async (tx) => {
    const author = { teamId: caller.teamId, keyId: caller.keyId, source: 'ai_draft' as const }
    const block = await createBlock(tx, now, author, draft)
    const answer = { status: 201, location: null, answer: block }
    if (held) await completeIdempotencyKey(tx, held, answer, now())
    return block
  })
}

/** Undoes `begin`. When the database is away too, the draft stays counted and the hold runs out. */
async function giveBack(sql: Sql, { usage, held }: Ticket): Promise<void> {
  const undone = transaction(sql, async (tx) => {
    if (held) await releaseIdempotencyKey(tx, held)
    await releaseDraft(tx, usage)
  })
  await withDeadline(undone).catch(() => {})
}

// What is stored as an answer was made by `store`, and by nobody else.
const blockOf = (stored: unknown) => stored as ContentBlock

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
