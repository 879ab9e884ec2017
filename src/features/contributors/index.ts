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
  wantsMessages,
} from './contributors.ts'
