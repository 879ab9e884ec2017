export {
  addContributors,
  findLinkedMember,
  isFromPrivate,
  listSenders,
  notifyContributors,
  purgeContributors,
  rolesOf,
  setWantsMessages,
  wantsMessages,
} from './contributors.ts'
