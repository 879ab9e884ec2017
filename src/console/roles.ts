import { type MemberRole, memberRoles } from '../contract/vocabulary.ts'

/** True when a role includes another one: admin includes editor, editor includes viewer. */
export function can(role: MemberRole, minimum: MemberRole): boolean {
  return memberRoles.indexOf(role) <= memberRoles.indexOf(minimum)
}
