import * as v from 'valibot'
import { emailAddress, singleLineText } from '../../contract/text.ts'
import { memberRoles } from '../../contract/vocabulary.ts'
import { type Context, inTransaction, type TxContext } from '../../lib/context.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/index.ts'
import { type Member, memberSubject } from './find.ts'
import { insertMember } from './sql.ts'

/** A new member of a team. */
export const NewMember = v.object({
  email: emailAddress,
  name: singleLineText(100),
  role: v.optional(v.picklist(memberRoles, `must be one of ${memberRoles.join(', ')}`), 'editor'),
})

type NewMember = v.InferOutput<typeof NewMember>

/**
 * Adds a person to a team. A person who was removed gets the old id with the new name and role.
 * Throws `validation_failed` when a member has the address already.
 */
export async function addMember(ctx: Context, input: NewMember): Promise<Member> {
  return await inTransaction(ctx, async (txCtx) => {
    const member = await storeMember(txCtx, input)
    await recordAudit(txCtx, 'member_added', memberSubject(member))
    return member
  })
}

/** Stores a new member, without an entry in the audit log. Throws `validation_failed` as `addMember`. */
export async function storeMember(
  { sql, now, actor }: TxContext,
  input: NewMember,
): Promise<Member> {
  const created_at = now()
  const row = { id: newId('mb', created_at), ...input, created_at }
  const member = await insertMember(sql, actor.teamId, row)
  if (!member) throw invalidField('/email', `${input.email} is a member already`, 'taken')
  return member
}
