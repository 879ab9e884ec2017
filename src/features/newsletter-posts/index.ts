export {
  endPostAttempt,
  findPost,
  PostJobData,
  type PostOutcome,
  startPostAttempt,
} from './attempt.ts'
export { cancelPost } from './cancel.ts'
export { createPost, postJob } from './create.ts'
export { listFailedPosts, listPosts, type NewsletterPost } from './list.ts'
export type { PostRow } from './sql.ts'
