export {
  archiveAddress,
  feedAddress,
  newsletterAddress,
  withoutOwnLink,
} from './address.ts'
export { displayedEmail } from './display-html.ts'
export { atomFeed } from './feed.ts'
export { createFeedLink, deleteFeedLink, getArchiveSettings, replaceArchiveLink } from './links.ts'
export {
  getArchivedNewsletter,
  getTeamOfArchive,
  getTeamOfFeed,
  type ListedNewsletter,
  listArchive,
} from './read.ts'
export { type ArchiveTeamRow, type SentRow, shownTime } from './sql.ts'
export { archiveTexts } from './texts.ts'
