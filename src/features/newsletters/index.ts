export { addBlock, composeNewsletter, removeBlock, reorderBlocks } from './issue.ts'
export {
  countNewslettersMade,
  createNewsletter,
  deleteNewsletter,
  getNewsletter,
  listNewsletters,
  requireNewsletter,
  updateNewsletter,
} from './newsletters.ts'
export { previewNewsletter } from './render.ts'
