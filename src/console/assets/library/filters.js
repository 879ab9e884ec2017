// Filters that apply at once.

const filters = document.getElementById('filters')
const titleLinks = () => [...(blockList()?.querySelectorAll('a.block-row-title') ?? [])]
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
