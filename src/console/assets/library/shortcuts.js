// The keyboard shortcuts of the library.

const boxOf = (row) => row.querySelector('input[type="checkbox"]')

const currentRow = () => document.activeElement?.closest?.('.block-row') ?? previewedRow
const reviewedIds = new Set()

function moveBy(step) {
  const current = currentRow()
  const rows = [...(blockList()?.querySelectorAll('.block-row') ?? [])]
  // A declined block stays in its place without a link.
  const all = rows.filter((row) => row === current || row.querySelector('a.block-row-title'))
  const index = all.indexOf(current)
  const row = all[Math.min(Math.max(index + step, 0), all.length - 1)]
  const link = row?.querySelector('a.block-row-title')
  if (!link) return
  link.focus()
  if (hasPreviewPanel.matches) showPreview(link).catch(reportFailure)
}

async function press(row, selector, to) {
  const button = row?.querySelector(selector)
  const id = row?.dataset.id
  if (!button || reviewedIds.has(id)) return
  reviewedIds.add(id)
  try {
    await review(button.getAttribute('formaction'), to)
  } finally {
    reviewedIds.delete(id)
  }
  // Who has selected another block meanwhile stays there.
  if (currentRow()?.dataset.id === id) moveBy(1)
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
  fetchInTeam('/account/shortcuts', { method: 'POST', body, keepalive: true }).catch(reportFailure)
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
