export { decideDraft, type ReviewResult } from './decide.ts'
export {
  listReviewedDrafts,
  postNewDrafts,
  purgeReviews,
  type ReviewedDraft,
  updateReviewedDrafts,
} from './post.ts'
