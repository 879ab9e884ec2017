import { type MemberRole, memberRoles } from '../contract/vocabulary.ts'

/** True when a role includes another one: admin includes editor, editor includes viewer. */
export function can(role: MemberRole, least: MemberRole): boolean {
  return memberRoles.indexOf(role) <= memberRoles.indexOf(least)
}

/** The labels of the roles. */
export const roleLabels = { admin: 'Admin', editor: 'Editor', viewer: 'Viewer' } as const

/** What each role can do. */
export const roleHints = {
  admin: 'does everything, including keys and members',
  editor: 'writes and approves blocks, composes newsletters',
  viewer: 'reads',
} as const
