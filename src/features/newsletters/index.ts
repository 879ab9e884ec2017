export { addBlock, composeNewsletter, removeBlock, reorderBlocks } from './blocks.ts'
export {
  countNewslettersCreated,
  createNewsletter,
  deleteNewsletter,
  getNewsletter,
  listNewsletters,
  requireNewsletter,
  updateNewsletter,
} from './newsletters.ts'
export { previewNewsletter } from './render.ts'
