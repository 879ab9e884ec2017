import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { multilineText, singleLineText } from '../../contract/text.ts'
import type { BlockType, BodyFormat } from '../../contract/vocabulary.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { createBlock } from '../content-blocks/index.ts'
import { createReceipt } from '../receipts/index.ts'
import { lockSubmission, selectSubmission } from './sql.ts'

/** The subjects that a sender can choose. */
export const submissionTypes = [
  'general',
  'wins_milestones',
  'new_starter',
  'event_announcement',
  'learning_development',
] as const satisfies readonly BlockType[]

/** What a sender enters. */
export const NewSubmission = v.object({
  title: singleLineText(120),
  body: multilineText(5_000),
  block_type: v.picklist(submissionTypes, `must be one of ${submissionTypes.join(', ')}`),
})

/** A submission with its sender, and its text as it is stored. */
interface Submission extends v.InferOutput<typeof NewSubmission> {
  /** Identifies the form, so that the same fields of it are stored once. */
  id: string
  body_format: BodyFormat
  author: string | null
  /** The address of an uploaded image, or null. */
  image_url: string | null
  image_alt: string | null
}

/**
 * Creates a draft from a submission to the actor's team. Returns the path of its receipt. The same fields of a form
 * sent again create nothing and have the same receipt. Other fields are another draft: the order in which they arrive
 * does not say which of them the sender wrote last.
 */
export async function createSubmission(ctx: Context, submission: Submission): Promise<string> {
  const externalId = externalIdOf(submission)
  return await inTransaction(ctx, async (txCtx) => {
    const { sql, actor } = txCtx
    await lockSubmission(sql, actor.teamId, externalId)
    const known = await selectSubmission(sql, actor.teamId, externalId)
    const blockId = known ?? (await createDraft(txCtx, externalId, submission)).id
    return await createReceipt(txCtx, { blockId })
  })
}

/** Whoever has the id of a form is its sender, so that the block, which readers of the team see, has its hash. */
function externalIdOf(submission: Submission): string {
  const { id, title, body, block_type, author, image_url, image_alt } = submission
  const fields = JSON.stringify([id, title, body, block_type, author, image_url, image_alt])
  return createHash('sha256').update(fields).digest('hex')
}

const createDraft = (ctx: Context, externalId: string, { id: _, ...submission }: Submission) =>
  createBlock(ctx, { ...submission, source: 'submission', external_id: externalId })
