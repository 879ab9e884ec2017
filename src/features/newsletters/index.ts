export {
  approveNewsletter,
  askForApproval,
  getApproval,
  requiresApproval,
  setApprovalRequired,
} from './approve.ts'
export { arrangeNewsletter } from './arrange.ts'
export { previewBlock } from './block-preview.ts'
export { addBlock, removeBlock, reorderBlocks } from './blocks.ts'
export { composeNewsletter } from './compose.ts'
export { createNewsletter } from './create.ts'
export { deleteNewsletter } from './delete.ts'
export { duplicateNewsletter } from './duplicate.ts'
export { addElement, removeElement, updateElement } from './elements.ts'
export { exportNewsletter } from './export.ts'
export { findVersions } from './find-versions.ts'
export { getNewsletter, requireNewsletter } from './get.ts'
export {
  findElementErrors,
  findNewElementErrors,
  findNewsletterErrors,
} from './input-errors.ts'
export { listNewsletters } from './list.ts'
export { nextNewsletter } from './next.ts'
export { adoptSections, inSections } from './own-sections.ts'
export { type Notice, previewNewsletter } from './preview.ts'
export { forColorScheme } from './rendering/color-scheme.ts'
export {
  type ContrastCheck,
  checkContrast,
  requireReadableBackground,
} from './rendering/contrast-checks.ts'
export { frameMarks, sectionMark } from './rendering/marks.ts'
export { renderNewsletter } from './rendering/render.ts'
export type {
  RenderableBlock,
  RenderableNewsletter,
} from './rendering/sections.ts'
export { previewWarnings } from './rendering/warnings.ts'
export { restoreNewsletterVersion } from './restore-version.ts'
export { searchNewsletters } from './search.ts'
export { newslettersCreated } from './sql.ts'
export { previewTemplate } from './template-preview.ts'
export { canUndoSend, undoSend } from './undo-send.ts'
export { updateNewsletter } from './update.ts'
