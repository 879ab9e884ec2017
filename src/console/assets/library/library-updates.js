// Shows in the list of the library which blocks are new and which others have changed. `library.js` runs before.

const newBlocks = document.getElementById('new-blocks')

const newestRow = () => blockList().querySelector('.block-row')?.dataset.id ?? ''

/** Loads the blocks above the first one of the list, and the numbers of the tabs. */
async function loadNewer() {
  const newest = newestRow()
  const { response, page } = await fetchDocument(`${blockList().dataset.newer}&after=${newest}`)
  if (!response.ok || response.redirected || newestRow() !== newest) return []
  showCounts(page)
  return [...page.querySelectorAll('.block-row')]
}

/** Says above the list how many blocks are new; what is read does not move. */
async function offerNewBlocks() {
  if (!blockList()?.dataset.newer) return
  const { length: count } = await loadNewer()
  newBlocks.hidden = count === 0
  if (count === 0) return
  newBlocks.textContent =
    count === 1
      ? translate('library-updates.show_one_new')
      : translate('library-updates.show_new', { count })
  announce(
    count === 1
      ? translate('library-updates.one_new')
      : translate('library-updates.new', { count }),
  )
}

/** Inserts the new blocks above the list. The selection stays. */
async function insertNewBlocks() {
  const rows = await loadNewer()
  // A response has 30 rows at most, so there can be more between these and the list.
  if (rows.length >= 29) return location.assign(filteredUrl())
  newBlocks.hidden = true
  blockList().prepend(...rows.map((row) => document.importNode(row, true)))
  document.getElementById('empty-state')?.remove()
  document.dispatchEvent(new Event('tidings:content'))
  titleLinks()[0]?.focus()
}

// An address with more rows is longer than some proxies allow.
const maxRefreshed = 100

/** Shows what others have changed of the blocks in the list; they stay where they are. */
async function refreshRows(by = null) {
  const before = await untilOwnChangesAreShown()
  const rows = [...blockList().querySelectorAll('[data-seen]')].slice(0, maxRefreshed)
  if (rows.length === 0) return
  const query = new URLSearchParams(location.search)
  for (const row of rows) query.append('seen', row.dataset.seen)
  const { response, page } = await fetchDocument(`/library/changed?${query}`)
  if (!response.ok || response.redirected) return
  const after = await untilOwnChangesAreShown()
  // The numbers can be those before a change of this page.
  if (isSame(before, after)) showCounts(page)
  for (const changedRow of page.querySelectorAll('.block-row')) {
    const row = rows.find(({ dataset }) => dataset.id === changedRow.dataset.id)
    // The person has changed the block in the meantime.
    if (row?.isConnected) refreshRow(row, document.importNode(changedRow, true), by)
  }
  document.dispatchEvent(new Event('tidings:content'))
}

/** A block that was selected is no longer, because the person has not seen this version of it. */
function refreshRow(row, changedRow, name) {
  const title = row.querySelector('.block-row-title').textContent
  announce(
    name
      ? translate('library-updates.changed_by', { name, title })
      : translate('library-updates.changed_by_others', { title }),
  )
  const isBeingEdited = previewedRow === row && previewContent.contains(document.activeElement)
  if (isBeingEdited) markPreviewed(undefined)
  replaceRow(row, changedRow)
  if (isBeingEdited) markPreviewed(changedRow)
}

/** Shows the comments and the assignee that the previewed block has now. What the person writes stays. */
async function refreshDiscussion() {
  const id = shownBlock()
  const { response, page } = await fetchDocument(`/library/${id}`)
  const comments = page.querySelector('.comments')
  const shown = previewContent.querySelector('.comments')
  if (!response.ok || !comments || !shown || shownBlock() !== id) return
  if (comments.textContent !== shown.textContent) shown.replaceWith(comments)
  const assignee = previewContent.querySelector('#assignee')
  if (assignee !== document.activeElement) assignee.value = page.getElementById('assignee').value
}

/** Shows the numbers of comments and the assignees that these blocks have now. */
async function refreshNotes(ids) {
  const query = new URLSearchParams()
  // No block has version 0, so that all of them are in the response.
  for (const id of ids.slice(0, maxRefreshed)) query.append('seen', `${id}.0`)
  const { response, page } = await fetchDocument(`/library/changed?${query}`)
  if (!response.ok || response.redirected) return
  for (const fresh of page.querySelectorAll('.block-row')) {
    const row = rowWithId(fresh.dataset.id)
    row?.querySelector('.block-row-notes')?.remove()
    const notes = fresh.querySelector('.block-row-notes')
    if (notes) row?.querySelector('.block-row-date')?.before(document.importNode(notes, true))
  }
}

/** The last form that this page has sent, and its reviews. */
const ownChanges = () => [window.sentForm, window.pendingReview]
const isSame = (some, others) => some.every((change, index) => change === others[index])

/** A change of this page itself is shown when its forms and reviews are answered. Returns what is shown. */
async function untilOwnChangesAreShown() {
  let shown
  do {
    shown = ownChanges()
    await Promise.all(shown)
  } while (!isSame(ownChanges(), shown))
  return shown
}

const rowWithId = (id) => blockList()?.querySelector(`[data-id="${CSS.escape(id)}"]`)

async function onChanged({ blocks = [], by }) {
  await untilOwnChangesAreShown()
  const listed = blocks.filter(rowWithId)
  if (listed.length > 0) await Promise.all([refreshRows(by), refreshNotes(listed)])
  if (!previewPanel.hidden && blocks.includes(shownBlock())) await refreshDiscussion()
}

newBlocks.addEventListener('click', () => insertNewBlocks().catch(reportFailure))

document.addEventListener('tidings:live', ({ detail: { name, data } }) => {
  if (name === 'counts') offerNewBlocks().catch(() => {})
  if (name === 'changed') onChanged(data).catch(() => {})
  // What changed before the page was connected, or while it was hidden, was not announced to it.
  if (name === 'connected') refreshRows().catch(() => {})
})
