export { memberActor } from './actor.ts'
export { addMember, NewMember } from './add.ts'
export {
  findMember,
  findMembers,
  findMembersByEmail,
  listMemberships,
  type Member,
  type Membership,
  memberSubject,
} from './find.ts'
export {
  acceptInvitation,
  getInvitation,
  type Invitation,
  invitationDays,
  inviteMember,
  purgeInvitations,
} from './invitations/index.ts'
export { isMemberAddress, joinTeams } from './join-teams.ts'
export { listAdmins, listMemberPage, listMembers, listMembersByName } from './list.ts'
export { removeMember, removeMemberUnlessLastAdmin } from './remove.ts'
export { requireRoleLock } from './role-lock.ts'
export { memberCount } from './sql.ts'
export { changeRole, promoteAdmin, renameMember } from './update.ts'
