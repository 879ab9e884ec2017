// Edits a block beside the list: the form of its page opens in the preview. On narrow screens and without
// this script, the link opens the page. `library.js` runs before.

/* global focusFirstField, formFrom, loadScript */

const formScripts = JSON.parse(
  document.getElementById('later-scripts')?.textContent ?? '[]',
).filter((path) => !path.endsWith('/editor-image.js'))

/** Loads the scripts of the form in their order, once. */
async function loadFormScripts() {
  while (formScripts.length > 0) await loadScript(formScripts.shift())
}

const editorInPreview = () => previewContent.querySelector('.in-place-editor')

/** A form that is being sent stays where it is, because it shows what the server answers. */
window.isEditorBeingSaved = () => editorInPreview()?.querySelector('form[aria-busy="true"]') != null

/** False when the form that was being sent is still open, because it was not saved. */
window.untilEditorIsAnswered = async () => {
  const { activeElement } = document
  const { block } = editorInPreview().dataset
  await window.sentForm
  if (editorInPreview()?.dataset.block === block) return false
  // The saved block has taken the focus from what the person has chosen since.
  activeElement.focus({ preventScroll: true })
  return true
}

const rowOfBlock = (id) => blockList().querySelector(`[data-id="${CSS.escape(id)}"]`)

/** Puts the form of a page in the preview; its editors start when its text is restored. False for a page without one, such as the one to sign in. */
function showEditor(page, { id, path }) {
  const form = formFrom(page)
  if (!form) return false
  const editor = document.createElement('section')
  editor.className = 'in-place-editor'
  editor.dataset.block = id
  const heading = document.createElement('h2')
  heading.className = 'in-place-heading'
  heading.textContent = page.querySelector('#main h1').textContent
  const content = document.createElement('div')
  content.className = 'in-place-content'
  content.append(...page.querySelectorAll('#main > [role=alert]'), form)
  editor.append(heading, content)
  form.dataset.page = path
  previewContent.replaceChildren(editor)
  previewPanel.hidden = false
  return true
}

const startEditors = () => document.dispatchEvent(new Event('tidings:content'))

/** Opens the form of a block in the preview. */
async function editInPreview(path) {
  if (isEditorBeingSaved() && !(await untilEditorIsAnswered())) return
  const id = path.split('/')[2]
  const row = rowOfBlock(id)
  markPreviewed(row)
  previewPanel.setAttribute('aria-busy', 'true')
  const [{ response, page }] = await Promise.all([fetchDocument(path), loadFormScripts()])
  previewPanel.removeAttribute('aria-busy')
  if (previewedRow !== row) return
  storeComment()
  storeEditor()
  if (!response.ok || response.redirected || !showEditor(page, { id, path }))
    return location.assign(path)
  const form = previewContent.querySelector('form')
  restoreDraft(form)
  startEditors()
  window.loadServerDraft?.(form).catch(() => {})
  previewPanel.scrollTop = 0
  focusFirstField(form)
}

/** The form is closed or replaced; its text stays stored and is there when it opens again. */
window.storeEditor = () => {
  const form = editorInPreview()?.querySelector('form')
  if (!drafts.has(form)) return
  saveDraft(form)
  if (isChanged(form)) void window.autosave?.(form)
  drafts.delete(form)
}

/** Opens the form again, with the text that is stored now. */
window.reopenEditor = () => {
  const form = editorInPreview().querySelector('form')
  drafts.delete(form)
  editInPreview(form.dataset.page).catch(reportFailure)
}

/** Shows the block again instead of its form. */
async function removeEditor(editor) {
  if (!editor.isConnected) return
  const { block } = editor.dataset
  storeEditor()
  previewContent.replaceChildren()
  const link = rowOfBlock(block)?.querySelector('a.block-row-title')
  if (!link) return closePreview()
  await showPreview(link)
  link.focus({ preventScroll: true })
}

async function closeEditor() {
  if (!isEditorBeingSaved()) await removeEditor(editorInPreview())
}

/** Shows the saved block in the list and in the preview; a form with newer text stays. */
async function finishEditing(form, next) {
  const editor = form.closest('.in-place-editor')
  const { block } = editor.dataset
  await discardDraft(form)
  const row = rowOfBlock(block)
  const [saved, changed] = [
    await fetchDocument(next),
    await fetchDocument(`/library/changed?seen=${row?.dataset.seen}`),
  ]
  if (hasNewerText(form)) await continueForm(form)
  else await removeEditor(editor)
  if (changed.response.ok) showCounts(changed.page)
  const changedRow = changed.page.querySelector('.block-row')
  if (changedRow) replaceRow(rowOfBlock(block), document.importNode(changedRow, true))
  if (!editor.isConnected)
    rowOfBlock(block)?.querySelector('a.block-row-title')?.focus({ preventScroll: true })
  const notice = saved.page.querySelector('#main > .notice')
  // A part that cannot be saved is named where it is missing.
  if (notice?.matches('.danger')) showFailure(notice.textContent.trim())
  else if (notice) announce(notice.textContent)
}

// The response to the form; send-forms.js sends it.
document.addEventListener('tidings:response', ({ target: form, detail }) => {
  const { next, html } = detail
  if (next) {
    detail.shown = finishEditing(form, next).catch(reportFailure)
    return
  }
  const page = new DOMParser().parseFromString(html, 'text/html')
  const { page: path } = form.dataset
  drafts.delete(form)
  if (!showEditor(page, { id: editorInPreview().dataset.block, path })) return location.assign(path)
  const shown = previewContent.querySelector('form')
  // The fields contain text that is not saved yet.
  drafts.set(shown, { key: keyOf(shown), initial: null, stored: readDraft(keyOf(shown)) })
  startEditors()
  previewContent.querySelector('[role=alert], [aria-invalid=true]')?.scrollIntoView({
    // Not below the buttons.
    block: 'center',
  })
})

document.querySelector('.library').addEventListener('click', (event) => {
  const link = event.target.closest('[data-edit], .in-place-editor a[data-close]')
  if (!link || !hasPreviewPanel.matches || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  if (link.hasAttribute('data-close')) return closeEditor().catch(reportFailure)
  editInPreview(link.getAttribute('href')).catch(reportFailure)
})

previewContent.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !event.target.closest('.in-place-editor')) return
  event.stopPropagation()
  closeEditor().catch(reportFailure)
})
