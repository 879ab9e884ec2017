import type { MemberRequest } from './http/context.ts'

/** Whether the installation lets the person create teams: `CREATE_TEAMS`. */
export function mayCreateTeams({ deps, memberships }: MemberRequest): boolean {
  if (deps.createTeams === 'admins') return memberships.some(({ role }) => role === 'admin')
  return deps.createTeams === 'everybody'
}
