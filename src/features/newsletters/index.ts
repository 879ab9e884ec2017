export { addBlock, composeNewsletter, removeBlock, reorderBlocks } from './issue.ts'
export {
  countNewslettersMade,
  createNewsletter,
  deleteNewsletter,
  getNewsletter,
  listNewsletters,
  type ReadNewsletter,
  requireNewsletter,
  updateNewsletter,
} from './newsletters.ts'
export { type NewsletterPreview, previewNewsletter } from './render.ts'
