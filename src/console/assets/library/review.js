// Review in place: the list, the page and the scroll position stay.

let lastReviewed

/** Shows the numbers of blocks in the tabs, and that of the drafts in the navigation too. */
function showCounts(page) {
  const tabs = page.getElementById('tabs')
  document.getElementById('tabs').replaceWith(tabs)
  showDraftCount({ drafts: Number(tabs.dataset.drafts) })
}

const resultTexts = {
  ready: (title) => translate('library.approved', { title }),
  draft: (title) => translate('library.draft_again', { title }),
  delete: (title) => translate('library.declined', { title }),
  restore: (title) => translate('library.restored', { title }),
  comments: () => translate('library.changed'),
  assignee: () => translate('library.changed'),
}

/** Changes a block in place: the list, the page and the scroll position stay. `form` has further fields. */
const review = (path, to, form) => untilShown(sendReview(path, to, form))

/** What others have changed is shown after the results of all reviews. */
function untilShown(reviewed) {
  window.pendingReview = Promise.allSettled([window.pendingReview, reviewed])
  return reviewed
}

async function sendReview(path, to, form) {
  const [, , id, action] = path.split(/[/?]/)
  // The row can show the result before the response to this request has arrived.
  const title = blockList()?.querySelector(`[data-id="${id}"] a.block-row-title`)?.textContent
  const body = new URLSearchParams(form && new FormData(form))
  body.set('to', to)
  body.set('back', location.pathname + location.search)
  body.set('csrf', document.querySelector('[name=csrf]').value)
  const headers = { 'hx-request': 'true', 'hx-target': 'block-list' }
  const { response, page } = await fetchDocument(path, { method: 'POST', body, headers })
  if (response.status === 401) return (await signInAgain()) && review(path, to, form)
  const changedRow = page.querySelector('.block-row')
  if (!response.ok || !changedRow) return showProblem(response, page)
  showCounts(page)
  lastReviewed = id
  const row = blockList().querySelector(`[data-id="${id}"]`)
  if (path.endsWith('/comments')) await discardDraft(form)
  const shownTitle = title ?? changedRow.querySelector('.block-row-title').textContent
  announce(resultTexts[action === 'status' ? to : action](shownTitle))
  if (row) replaceRow(row, changedRow)
  document.dispatchEvent(new Event('tidings:content'))
}

/** Sends a comment once. Its text stays as it was sent, and is stored, until the server has answered. */
async function sendComment(path, form) {
  const [, , id] = path.split('/')
  if (sentComments.has(id)) return
  saveDraft(form)
  sentComments.set(id, form)
  form.elements.body.readOnly = true
  try {
    await review(path, '', form)
  } finally {
    sentComments.delete(id)
    form.elements.body.readOnly = false
    if (!form.isConnected) drafts.delete(form)
  }
}

/** Says why the server has not changed a block. A list that is scrolled stays where it is. */
function showProblem({ headers }, page) {
  const next = headers.get('hx-redirect')
  if (next) return location.assign(next)
  // An error page, or the form again with what is wrong with it.
  const fieldError = page.querySelector('#main [role="alert"] li')?.textContent
  const text = (fieldError ?? errorTextOf(page)).trim()
  if (text === '') return location.reload()
  showFailure(text)
}

function replaceRow(row, changedRow) {
  const wasPreviewed = previewedRow === row
  const link = changedRow.querySelector('a.block-row-title')
  // Text that a person edits stays.
  const isEdited = previewContent.querySelector('.in-place-editor') !== null
  // A deleted block has no preview any more, and Undo is in its row.
  const leavesPreview = wasPreviewed && !link && previewContent.contains(document.activeElement)
  const hadFocus = row.contains(document.activeElement) || leavesPreview
  row.replaceWith(changedRow)
  changedRow.classList.add('is-changed')
  if (hadFocus)
    changedRow.querySelector('.block-row-actions button')?.focus({ preventScroll: true })
  if (!wasPreviewed) return
  if (isEdited) markPreviewed(changedRow)
  else if (link) void showPreview(link)
  else {
    markPreviewed(changedRow)
    previewPanel.hidden = true
  }
}

/** Decides about the selected blocks in place; the notice above the list undoes it for all of them. */
async function reviewSelected(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter))
  // A second click is about versions that are outdated then.
  body.delete('submission')
  const headers = { 'hx-request': 'true', 'hx-target': 'block-list' }
  const { response, page } = await fetchDocument('/library/bulk', { method: 'POST', body, headers })
  if (response.status === 401) return (await signInAgain()) && reviewSelected(form, submitter)
  const result = page.getElementById('bulk-result')
  if (!response.ok || !result) return showProblem(response, page)
  showCounts(page)
  for (const changedRow of page.querySelectorAll('.block-row')) {
    const row = blockList().querySelector(`[data-id="${changedRow.dataset.id}"]`)
    if (row) replaceRow(row, document.importNode(changedRow, true))
  }
  lastReviewed = undefined
  document.getElementById('bulk-result').replaceWith(result)
  result.scrollIntoView({ block: 'nearest' })
  result.querySelector('button')?.focus({ preventScroll: true })
  announce(result.firstElementChild.textContent)
  selectAll(false)
  document.dispatchEvent(new Event('tidings:content'))
}

const inPlacePath =
  /^\/library\/\w+\/(?:status(?:\?version=\d+(?:&undo=1)?)?|delete|restore|assignee|comments(?:\/\w+\/delete)?)$/

// In the capture phase: console.js, which prevents a second submission, must not see these forms.
document.addEventListener(
  'submit',
  (event) => {
    const { target: form, submitter } = event
    const path = submitter?.getAttribute('formaction') ?? form.getAttribute('action')
    if (path === '/library/bulk') {
      event.preventDefault()
      return untilShown(reviewSelected(form, submitter)).catch(reportFailure)
    }
    if (!inPlacePath.test(path) || !form.closest('.library')) return
    event.preventDefault()
    if (path.endsWith('/comments')) return sendComment(path, form).catch(reportFailure)
    const to = submitter?.name === 'to' ? submitter.value : (form.elements.to?.value ?? '')
    const isInPreview = form.closest('#preview-content')
    review(path, to, isInPreview ? form : undefined).catch(reportFailure)
  },
  { capture: true },
)

/** Takes back what was done last, as the button in the row of that block does. */
window.undoLast = async () => {
  const undoAll = document.querySelector('#bulk-result button')
  if (!lastReviewed && undoAll) return undoAll.click()
  const row = blockList().querySelector(`[data-id="${lastReviewed}"]`)
  const button = row?.querySelector('[data-undo]')
  if (!button) return
  button.focus({ preventScroll: true })
  await review(button.getAttribute('formaction'), button.value)
  moveBy(0)
}
