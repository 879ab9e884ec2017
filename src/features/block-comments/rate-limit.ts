import { hourMs } from '../../lib/clock.ts'
import type { TxContext } from '../../lib/context.ts'
import { invalidField } from '../../lib/errors.ts'
import { countOwnActions } from '../audit-log/index.ts'

/** The most comments and assignments of one person within an hour: each of them can send emails. */
const maxPerHour = 100

/** Throws `validation_failed` for a person who has written many comments or assigned many blocks within an hour. */
export async function requireUnderLimit(ctx: TxContext, pointer: string): Promise<void> {
  const since = new Date(ctx.now().getTime() - hourMs)
  const actions = ['block_commented', 'block_assigned'] as const
  if ((await countOwnActions(ctx, { actions, since })) < maxPerHour) return
  const message = `you have written comments or assigned blocks ${maxPerHour} times within an hour; try again later`
  throw invalidField(pointer, message, 'too_many')
}
