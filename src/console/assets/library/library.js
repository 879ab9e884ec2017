// The preview beside the list, review in place, and filters that apply at once. The library also works
// without this script.

let blockList = document.getElementById('block-list')
const previewPanel = document.getElementById('preview-panel')
const previewContent = document.getElementById('preview-content')
const hasPreviewPanel = matchMedia('(width >= 64rem)')
const titleLinks = () => [...(blockList?.querySelectorAll('a.block-row-title') ?? [])]
const rowOf = (element) => element.closest('.block-row')
const boxOf = (row) => row.querySelector('input[type="checkbox"]')
let previewedRow
let lastReviewed

/** Shows the numbers of blocks in the tabs, and that of the drafts in the navigation too. */
function showCounts(page) {
  const tabs = page.getElementById('tabs')
  document.getElementById('tabs').replaceWith(tabs)
  showDraftCount({ drafts: Number(tabs.dataset.drafts) })
}

async function fetchDocument(path, options) {
  const response = await fetch(path, options)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return { response, page }
}

function reportFailure() {
  for (const element of document.querySelectorAll('[data-waits]'))
    element.removeAttribute('aria-busy')
  announce(translate('common.cannot_be_reached'))
}

function markPreviewed(row) {
  previewedRow?.removeAttribute('aria-current')
  previewedRow = row
  row?.setAttribute('aria-current', 'true')
}

const shownBlock = () => previewContent.firstElementChild?.dataset.block
const commentForm = () => previewContent.querySelector('form.comment-form')

/** A comment that is not sent yet is stored as on the page of its block, and is there when it opens again. */
function restoreComment(id) {
  const form = commentForm()
  if (!form) return
  form.dataset.page = `/library/${id}`
  restoreDraft(form)
}

/** The form is replaced; its text stays stored. */
function storeComment() {
  const form = commentForm()
  if (!form) return
  saveDraft(form)
  drafts.delete(form)
}

/** Shows a block beside the list. On narrow screens the link opens the page of the block instead. */
async function showPreview(link) {
  const row = rowOf(link)
  const isSame = row.dataset.id === shownBlock()
  markPreviewed(row)
  previewPanel.setAttribute('aria-busy', 'true')
  const { response, page } = await fetchDocument(link.href)
  if (previewedRow === row) previewPanel.removeAttribute('aria-busy')
  const block = page.getElementById('block')
  if (!response.ok) return location.assign(link.href)
  if (!block || previewedRow !== row) return
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

function moveBy(step) {
  const current = document.activeElement?.closest?.('.block-row') ?? previewedRow
  const rows = [...(blockList?.querySelectorAll('.block-row') ?? [])]
  // A declined block stays in its place without a link.
  const all = rows.filter((row) => row === current || row.querySelector('a.block-row-title'))
  const index = all.indexOf(current)
  const row = all[Math.min(Math.max(index + step, 0), all.length - 1)]
  const link = row?.querySelector('a.block-row-title')
  if (!link) return
  link.focus()
  if (hasPreviewPanel.matches) showPreview(link).catch(reportFailure)
}

const resultTexts = {
  ready: (title) => translate('library.approved', { title }),
  draft: (title) => translate('library.draft_again', { title }),
  delete: (title) => translate('library.declined', { title }),
  restore: (title) => translate('library.restored', { title }),
  comments: () => translate('library.changed'),
  assignee: () => translate('library.changed'),
}

/** Changes a block in place: the list, the page and the scroll position stay. */
async function review(path, to, fields = new FormData()) {
  const [, , id, action] = path.split(/[/?]/)
  const body = new URLSearchParams(fields)
  body.set('to', to)
  body.set('back', location.pathname + location.search)
  body.set('csrf', document.querySelector('[name=csrf]').value)
  const headers = { 'hx-request': 'true', 'hx-target': 'block-list' }
  const { response, page } = await fetchDocument(path, { method: 'POST', body, headers })
  if (response.status === 401) return (await signInAgain()) && review(path, to, fields)
  const changedRow = page.querySelector('.block-row')
  if (!response.ok || !changedRow) return showProblem(page)
  showCounts(page)
  lastReviewed = id
  const row = blockList.querySelector(`[data-id="${id}"]`)
  const link =
    row?.querySelector('a.block-row-title') ?? changedRow.querySelector('.block-row-title')
  if (path.endsWith('/comments')) await discardDraft(commentForm())
  announce(resultTexts[action === 'status' ? to : action](link.textContent))
  if (row) replaceRow(row, changedRow)
  document.dispatchEvent(new Event('tidings:content'))
}

/** The error page of the server says why a block cannot be changed. */
function showProblem(page, text = page.querySelector('main')?.textContent) {
  const problem = text?.trim().replaceAll(/\s+/g, ' ')
  if (!problem) return location.reload()
  announce(problem)
  const notice = document.createElement('p')
  notice.className = 'notice danger'
  notice.textContent = problem
  document.querySelector('.library').before(notice)
  // Long enough to read two lines; the next page does not need it.
  setTimeout(() => notice.remove(), 10_000)
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
  if (!response.ok || !result) return showProblem(page)
  showCounts(page)
  for (const changedRow of page.querySelectorAll('.block-row')) {
    const row = blockList.querySelector(`[data-id="${changedRow.dataset.id}"]`)
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
  /^\/library\/\w+\/(?:status(?:\?version=\d+)?|delete|restore|assignee|comments(?:\/\w+\/delete)?)$/

// In the capture phase: console.js, which prevents a second submission, must not see these forms.
document.addEventListener(
  'submit',
  (event) => {
    const { target: form, submitter } = event
    const path = submitter?.getAttribute('formaction') ?? form.getAttribute('action')
    if (path === '/library/bulk') {
      event.preventDefault()
      return reviewSelected(form, submitter).catch(reportFailure)
    }
    if (!inPlacePath.test(path) || !form.closest('.library')) return
    event.preventDefault()
    const to = submitter?.name === 'to' ? submitter.value : (form.elements.to?.value ?? '')
    const isInPreview = form.closest('#preview-content')
    review(path, to, isInPreview ? new FormData(form) : undefined).catch(reportFailure)
  },
  { capture: true },
)

let lastChecked

/** Selects the rows between the last selected one and this one, as lists of files do. */
function selectRange(box) {
  const boxes = [...blockList.querySelectorAll('input[type=checkbox]')]
  const ends = [boxes.indexOf(lastChecked ?? box), boxes.indexOf(box)].toSorted((a, b) => a - b)
  for (const one of boxes.slice(Math.max(ends[0], 0), ends[1] + 1)) one.checked = true
}

document.addEventListener('click', (event) => {
  const box = event.target
  if (!box.matches?.('.block-row input[type="checkbox"]')) return
  if (event.shiftKey && box.checked) selectRange(box)
  lastChecked = box
  showSelection()
})

const mostSelected = 200

function selectAll(isChecked) {
  const boxes = [...blockList.querySelectorAll('input[type=checkbox]')]
  for (const box of boxes.slice(0, mostSelected)) box.checked = isChecked
  document.getElementById('select-all').checked = isChecked
  showSelection()
}

/** Says how many blocks are selected, and offers those on older pages once all of this one are. */
function showSelection() {
  const { length: count } = blockList.querySelectorAll('input[type=checkbox]:checked')
  const text = count === 0 ? '' : translate('library.selected', { count })
  document.getElementById('selected-count').textContent = text
  const isAll = document.getElementById('select-all').checked && count < mostSelected
  document.getElementById('select-older').hidden =
    !isAll || !document.getElementById('older-blocks')
}

/** Adds the blocks of older pages to the list, as many as can be decided about at once, and selects them. */
async function selectOlder() {
  for (;;) {
    const link = document.getElementById('older-blocks')
    if (!link || blockList.querySelectorAll('.block-row').length >= mostSelected) break
    const { response, page } = await fetchDocument(link.href)
    if (!response.ok || response.redirected) return location.assign(link.href)
    const rows = page.querySelectorAll('#block-list > .block-row')
    blockList.append(...[...rows].map((row) => document.importNode(row, true)))
    const next = page.getElementById('older-blocks')
    if (next) link.replaceWith(document.importNode(next, true))
    else link.remove()
  }
  selectAll(true)
  announce(document.getElementById('selected-count').textContent)
  document.dispatchEvent(new Event('tidings:content'))
}

document.addEventListener('change', ({ target }) => {
  if (target.id === 'select-all') selectAll(target.checked)
  if (target.id === 'assignee') target.form.requestSubmit()
  if (target.matches('.block-row-check')) showSelection()
})

document.addEventListener('click', ({ target }) => {
  if (target.id === 'select-older') selectOlder().catch(reportFailure)
})

async function press(row, selector, to) {
  const button = row?.querySelector(selector)
  if (!button) return
  await review(button.getAttribute('formaction'), to)
  moveBy(1)
}

/** Takes back what was done last, as the button in the row of that block does. */
async function undoLast() {
  const undoAll = document.querySelector('#bulk-result button')
  if (!lastReviewed && undoAll) return undoAll.click()
  const row = blockList.querySelector(`[data-id="${lastReviewed}"]`)
  const button = row?.querySelector('[data-undo]')
  if (!button) return
  button.focus({ preventScroll: true })
  await review(button.getAttribute('formaction'), button.value)
  moveBy(0)
}

const shortcuts = document.getElementById('shortcuts')
const showShortcuts = () => shortcuts.showModal()
document.getElementById('show-shortcuts').addEventListener('click', showShortcuts)

const actions = {
  j: () => moveBy(1),
  k: () => moveBy(-1),
  a: (row) => press(row, '[data-approve]', 'ready').catch(reportFailure),
  d: (row) => press(row, '[data-decline]', '').catch(reportFailure),
  e: (row) => row?.querySelector('[data-edit]')?.click(),
  x: (row) => row && boxOf(row)?.click(),
  X: (row) => {
    const box = row && boxOf(row)
    if (!box) return
    selectRange(box)
    lastChecked = box
    showSelection()
  },
  z: () => undoLast().catch(reportFailure),
  '*': () => document.getElementById('select-all')?.click(),
  '/': () => document.getElementById('q').focus(),
  Escape: () => previewPanel.hidden || closePreview(),
  '?': showShortcuts,
}

const shortcutsSetting = document.getElementById('use-shortcuts')
shortcutsSetting.addEventListener('change', () => {
  const csrf = document.querySelector('[name=csrf]').value
  const keyboard_shortcuts = shortcutsSetting.checked ? 'on' : ''
  const body = new URLSearchParams({ csrf, keyboard_shortcuts })
  fetch('/account/shortcuts', { method: 'POST', body, keepalive: true }).catch(reportFailure)
})

document.addEventListener('keydown', (event) => {
  if (!shortcutsSetting.checked || event.ctrlKey || event.metaKey || event.altKey) return
  const typesIn = 'dialog, textarea, select, input:not([type="checkbox"]), .in-place-editor'
  if (event.target.closest(typesIn)) return
  const action = actions[event.key]
  if (!action) return
  event.preventDefault()
  action(event.target.closest('.block-row') ?? previewedRow)
})

const filters = document.getElementById('filters')
const filteredUrl = () => `/library?${new URLSearchParams(new FormData(filters))}`

/** Shows the blocks that match the filters. The form and the focus stay. */
async function applyFilters() {
  const url = filteredUrl()
  document.getElementById('blocks').setAttribute('aria-busy', 'true')
  const { response, page } = await fetchDocument(url)
  if (!response.ok || response.redirected) return location.assign(url)
  // The person has changed a filter in the meantime.
  if (url !== filteredUrl()) return
  showCounts(page)
  for (const id of ['blocks', 'saved-filters']) {
    document.getElementById(id).replaceWith(page.getElementById(id))
  }
  blockList = document.getElementById('block-list')
  lastChecked = undefined
  if (!previewPanel.hidden) closePreview()
  newBlocks.hidden = true
  history.replaceState(null, '', url)
  const count = titleLinks().length
  announce(translate(count === 1 ? 'common.one_matches' : 'common.matches', { count }))
  document.dispatchEvent(new Event('tidings:content'))
}

let filterTimer
filters.addEventListener('input', ({ target }) => {
  clearTimeout(filterTimer)
  // While a person types, one request after the last letter is enough.
  filterTimer = setTimeout(
    () => applyFilters().catch(reportFailure),
    target.type === 'search' ? 250 : 0,
  )
})
