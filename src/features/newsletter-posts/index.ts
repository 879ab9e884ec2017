export {
  endPostAttempt,
  findPost,
  PostJobData,
  type PostOutcome,
  startPostAttempt,
} from './attempt.ts'
export { listPosts, type NewsletterPost } from './list.ts'
export { cancelPost, postJob, postNewsletter } from './post.ts'
export type { PostRow } from './sql.ts'
