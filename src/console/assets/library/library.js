// The preview beside the list, and what the other scripts of this folder share with it. `assets.ts` joins them.
// The library also works without them.

const previewPanel = document.getElementById('preview-panel')
const previewContent = document.getElementById('preview-content')
const hasPreviewPanel = matchMedia('(width >= 64rem)')
const rowOf = (element) => element.closest('.block-row')
let previewedRow

/** The list of blocks, which filters replace; null when no block matches. */
window.blockList = () => document.getElementById('block-list')

async function fetchDocument(path, options) {
  const response = await fetchInTeam(path, options)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return { response, page }
}

function reportFailure() {
  for (const element of document.querySelectorAll('[data-waits]'))
    element.removeAttribute('aria-busy')
  showFailure(translate('common.cannot_be_reached'))
}

function markPreviewed(row) {
  previewedRow?.removeAttribute('aria-current')
  previewedRow = row
  row?.setAttribute('aria-current', 'true')
}

const shownBlock = () => previewContent.firstElementChild?.dataset.block
const commentForm = () => previewContent.querySelector('form.comment-form')

/** The forms of comments that the server has not answered yet, by the ids of their blocks. */
const sentComments = new Map()

/** A comment that is not sent yet is stored as on the page of its block, and is there when it opens again. */
function restoreComment(id) {
  const form = commentForm()
  if (!form) return
  if (sentComments.has(id)) return form.replaceWith(sentComments.get(id))
  form.dataset.page = `/library/${id}`
  restoreDraft(form)
}

/** The form is replaced; its text stays stored. */
function storeComment() {
  const form = commentForm()
  if (!form) return
  saveDraft(form)
  if (!sentComments.has(shownBlock())) drafts.delete(form)
}

/** Shows a block beside the list. On narrow screens the link opens the page of the block instead. */
async function showPreview(link) {
  if (window.isEditorBeingSaved?.() && !(await untilEditorIsAnswered())) return
  const row = rowOf(link)
  const isSame = row.dataset.id === shownBlock()
  markPreviewed(row)
  previewPanel.setAttribute('aria-busy', 'true')
  const { response, page } = await fetchDocument(link.href)
  // A block that is being declined has no page any more, and its row says so in a moment.
  if (!response.ok) await window.pendingReview
  if (previewedRow !== row) return
  previewPanel.removeAttribute('aria-busy')
  const block = page.getElementById('block')
  if (!response.ok) return location.assign(link.href)
  if (!block) return
  const hadFocus = previewContent.contains(document.activeElement)
  storeComment()
  window.storeEditor?.()
  previewContent.replaceChildren(document.importNode(block, true))
  previewPanel.hidden = false
  // What was pressed is gone; without this, the focus would be at the top of the page.
  if (hadFocus) focusElement(previewContent.querySelector('h2, h1'))
  // Actions in the preview lead back to this list.
  for (const field of previewContent.querySelectorAll('[name="back"]'))
    field.value = location.pathname + location.search
  restoreComment(row.dataset.id)
  if (!isSame) previewPanel.scrollTop = 0
  document.dispatchEvent(new Event('tidings:content'))
}

function closePreview() {
  if (window.isEditorBeingSaved?.()) return
  const link = previewedRow?.querySelector('a.block-row-title')
  markPreviewed(undefined)
  previewPanel.hidden = true
  link?.focus({ preventScroll: true })
}

document.getElementById('close-preview').addEventListener('click', closePreview)

document.querySelector('.library').addEventListener('click', (event) => {
  const link = event.target.closest('a.block-row-title')
  if (!link || !hasPreviewPanel.matches || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  showPreview(link).catch(reportFailure)
})
