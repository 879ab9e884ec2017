export {
  addContributors,
  blocksOfPerson,
  findLinkedMember,
  isFromPrivate,
  listSenders,
  notifyContributors,
  purgeContributors,
  rolesOf,
  setWantsMessages,
  setWantsReminders,
  wantsMessages,
  wantsReminders,
} from './contributors.ts'
