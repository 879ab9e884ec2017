import { type MemberRole, memberRoles } from '../contract/vocabulary.ts'

/** True when a role includes another: an admin may what an editor may, and so on down. */
export function can(role: MemberRole, least: MemberRole): boolean {
  return memberRoles.indexOf(role) <= memberRoles.indexOf(least)
}

/** Roles as people read them. */
export const roleTitles = { admin: 'Admin', editor: 'Editor', viewer: 'Viewer' } as const

/** What a role may, in a few words. */
export const roleHints = {
  admin: 'does everything, including keys and members',
  editor: 'writes and approves blocks, composes newsletters',
  viewer: 'reads',
} as const
