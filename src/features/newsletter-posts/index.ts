export {
  endPostAttempt,
  findPost,
  PostJobData,
  type PostOutcome,
  startPostAttempt,
} from './attempt.ts'
export { listFailedPosts, listPosts, type NewsletterPost } from './list.ts'
export { cancelPost, postJob, postNewsletter } from './post.ts'
export type { PostRow } from './sql.ts'
