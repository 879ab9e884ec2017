export { addContributors } from './add.ts'
export { deleteContributors, purgeContributors } from './delete.ts'
export { isFromPrivate, listBlocksOfPerson, listRoles, listSenders } from './list.ts'
export { notifyContributors } from './notify.ts'
export {
  findLinkedMember,
  setWantsMessages,
  setWantsReminders,
  wantsMessages,
  wantsReminders,
} from './preferences.ts'
