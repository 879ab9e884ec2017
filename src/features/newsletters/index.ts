export { arrangeNewsletter } from './composition/arrange.ts'
export {
  addBlock,
  removeBlock,
  reorderBlocks,
  requireNewsletterBlock,
} from './composition/blocks.ts'
export { composeNewsletter } from './composition/compose.ts'
export { addElement, removeElement, requireElement, updateElement } from './composition/elements.ts'
export { adoptSections, groupBySection } from './composition/own-sections.ts'
export { createNewsletter } from './create.ts'
export { deleteNewsletter } from './delete.ts'
export { duplicateNewsletter } from './duplicate.ts'
export { findNextNewsletter } from './find-next.ts'
export { getNewsletter, requireNewsletter } from './get.ts'
export { findVersions } from './history/find-versions.ts'
export { restoreNewsletterVersion } from './history/restore-version.ts'
export {
  findElementErrors,
  findNewElementErrors,
  findNewsletterErrors,
} from './input-errors.ts'
export { listNewsletters } from './list.ts'
export { newsletterMarks, sectionMark } from './rendering/composer-marks.ts'
export { findLatestTemplate } from './rendering/latest-template.ts'
export { previewBlock } from './rendering/previews/block.ts'
export { forColorScheme } from './rendering/previews/color-scheme.ts'
export {
  type NewsletterPreview,
  type Notice,
  previewNewsletter,
} from './rendering/previews/newsletter.ts'
export { previewTemplate } from './rendering/previews/template.ts'
export { renderNewsletter } from './rendering/render.ts'
export type { RenderableBlock, RenderableNewsletter } from './rendering/renderable.ts'
export {
  type ContrastCheck,
  checkContrast,
  requireReadableBackground,
} from './rendering/theme/contrast-checks.ts'
export { previewWarnings } from './rendering/warnings/warnings.ts'
export { searchNewsletters } from './search.ts'
export {
  approveNewsletter,
  askForApproval,
  canAskForApproval,
  getApproval,
  requiresApproval,
  setApprovalRequired,
} from './sending/approve.ts'
export { exportNewsletter } from './sending/export.ts'
export { lockSentNewsletter } from './sending/lock-sent.ts'
export { canUndoSend, undoSend } from './sending/undo-send.ts'
export { newslettersCreated } from './sql.ts'
export { updateNewsletter } from './update.ts'
