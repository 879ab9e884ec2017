export { decideDraft, type ReviewResult } from './decide.ts'
export { type EditResult, editDraft } from './edit.ts'
export {
  listDraftsToReview,
  listReviewedDrafts,
  maxListedDrafts,
  postNewDrafts,
  purgeDraftReviews,
  updateReviewedDrafts,
} from './post.ts'
export { findMemberOfPerson } from './reviewer.ts'
