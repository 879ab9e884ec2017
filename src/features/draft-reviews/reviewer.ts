import type { ReadContext } from '../../lib/context.ts'
import { findLinkedMember } from '../contributors/index.ts'
import { findMember, findMembersByEmail, type Member } from '../members/index.ts'

/** A person, as their chat knows them. */
interface PersonOfChat {
  id: string
  isActive: boolean
  /** An address that the chat has verified; null when there is none. */
  email: string | null
}

/**
 * The member who uses an account of a chat: linked before, or with the verified address of the account.
 * Undefined for a member who has not accepted their invitation.
 */
export async function findMemberOfPerson(
  ctx: ReadContext,
  { connectionId, person }: { connectionId: string; person: PersonOfChat },
): Promise<Member | undefined> {
  const { id: userId, email, isActive } = person
  if (!isActive) return undefined
  const linked = await findLinkedMember(ctx, { connectionId, userId })
  const [byEmail] = linked !== null || email === null ? [] : await findMembersByEmail(ctx, [email])
  const member = linked === null ? byEmail : await findMember(ctx, linked)
  return member?.account_id === null ? undefined : member
}
