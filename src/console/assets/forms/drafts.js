// Stores unsaved text of forms with `data-draft` on this device, and asks before an unsaved form is left.
// Without this script the forms are sent as usual.

const allDrafts = 'tidings-draft '
const draftPrefix = `${allDrafts}${document.body.dataset.account} `
// As long as the server stores it.
const draftMaxAgeMs = 30 * 24 * 60 * 60 * 1000

/** The key of the draft and the values that the server sent, for each form. */
const drafts = new Map()
let isLeaving = false
/** Hidden fields of every form; their values belong to the page, not to the person. */
const ofEveryForm = ['csrf', 'submission', 'signed_in_as', 'form_team']

/** The values of a form as text; the hidden fields of every form, passwords and files are left out. */
function valuesOf(form) {
  const unstored = [...form.querySelectorAll('[type=password], [type=file]')]
  const names = [...ofEveryForm, ...unstored.map(({ name }) => name)]
  return JSON.stringify([...new FormData(form)].filter(([name]) => !names.includes(name)))
}

const isChanged = (form) => drafts.has(form) && valuesOf(form) !== drafts.get(form).initial

/** Text in public forms is deleted when the tab is closed, because the computer can be shared. */
const draftStorage = () => (document.body.dataset.account ? localStorage : sessionStorage)

/** Deletes what is stored under a key; nothing where the browser blocks its storage. */
function deleteDraft(key) {
  try {
    draftStorage().removeItem(key)
  } catch {}
}

/** The newest time of text for each key that this page knows or has used. */
const knownTimes = new Map()
const noteTime = (key, time = 0) => knownTimes.set(key, Math.max(knownTimes.get(key) ?? 0, time))

/** The time of text that is typed or sent now: later than known text, also when the clock of the browser is behind. */
function nextTime(key) {
  noteTime(key, Math.max(Date.now(), (knownTimes.get(key) ?? 0) + 1))
  return knownTimes.get(key)
}

/**
 * What is stored under a key: values of a form, the time `at` which they were typed, and the time `savedAt` of the last
 * text that the server has too. Null for text that is too old, or where the browser blocks its storage.
 */
function readStored(key) {
  try {
    const stored = JSON.parse(draftStorage().getItem(key))
    noteTime(key, stored.savedAt)
    return Date.now() - stored.at < draftMaxAgeMs ? stored : null
  } catch {
    return null
  }
}

const readDraft = (key) => readStored(key)?.values ?? null

/** Where a tab stores its text while another tab of the person has another one for the same form. */
const secondKeyOf = (key) => `${key} second`

/**
 * Stores the values of a form on this device. Errors of a full or blocked storage are ignored. Text of
 * another tab is not replaced: both are kept, and the person chooses.
 */
function saveDraft(form) {
  const state = drafts.get(form)
  if (!state?.key) return
  try {
    const values = valuesOf(form)
    const stored = readDraft(state.key)
    const isOfOtherTab = stored !== null && ![state.stored, values, state.initial].includes(stored)
    if (isOfOtherTab && isChanged(form)) return saveSecondDraft(form, values)
    if (isOfOtherTab) return
    endTabConflict(form)
    if (!isChanged(form)) deleteDraft(state.key)
    // The time of text that has not changed says which of two devices has the newer text.
    else if (stored !== values) storeValues(state.key, values)
    state.stored = isChanged(form) ? values : null
  } catch {}
}

const tabNoticeOf = (form) => form.querySelector(':scope > .draft-notice.of-tabs')

/** The text of the other tab was saved or discarded there. */
function endTabConflict(form) {
  if (!tabNoticeOf(form)) return
  deleteDraft(secondKeyOf(drafts.get(form).key))
  tabNoticeOf(form).remove()
}

function storeValues(key, values, { savedAt = readStored(key)?.savedAt, at = nextTime(key) } = {}) {
  draftStorage().setItem(key, JSON.stringify({ at, savedAt, values }))
}

/** Keeps the text of this tab beside that of another tab, and asks which of them the person wants. */
function saveSecondDraft(form, values) {
  const { key } = drafts.get(form)
  storeValues(secondKeyOf(key), values)
  if (tabNoticeOf(form)) return
  const notice = showNotice(form, translate('drafts.other_tab'), 'of-tabs')
  notice.append(
    createButton(translate('drafts.use_this'), () => {
      storeValues(key, valuesOf(form))
      deleteDraft(secondKeyOf(key))
      drafts.get(form).stored = readDraft(key)
      notice.remove()
    }),
    createButton(translate('drafts.use_other'), () => {
      deleteDraft(secondKeyOf(key))
      reloadForm(form)
    }),
  )
}

function createButton(text, onClick) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'small'
  button.textContent = text
  button.addEventListener('click', onClick)
  return button
}

function fillForm(form, values) {
  const pairs = JSON.parse(values)
  const isStored = ({ name, value }) => pairs.some(([one, text]) => one === name && text === value)
  // Fields of one name are in the order of their values.
  const left = Map.groupBy(pairs, ([name]) => name)
  for (const field of form.elements) {
    if (!field.name || ofEveryForm.includes(field.name)) continue
    if (['checkbox', 'radio'].includes(field.type)) field.checked = isStored(field)
    else field.value = left.get(field.name)?.shift()?.[1] ?? field.value
  }
}

/** The page of a form; a form that was opened over another page has its own. */
const pageOf = (form) => form.dataset.page ?? location.pathname
const keyOf = (form) => `${draftPrefix}${pageOf(form)} ${form.getAttribute('action')}`

/** What a person typed or chose: without the hidden fields that say what the form showed. */
const typedTextOf = (values) =>
  JSON.stringify(
    JSON.parse(values).filter(([name]) => !/^(?:original_\w+|version|view)$/.test(name)),
  )

/** How many sections of a template the values of a form contain. */
const sectionCountOf = (values) =>
  JSON.parse(values).filter(([name]) => name === 'section_title[]').length

/** Restores the draft of a form and shows a notice. */
function restoreDraft(form) {
  if (drafts.has(form)) return
  const key = keyOf(form)
  const initial = valuesOf(form)
  drafts.set(form, { key, initial })
  const stored = readDraft(key)
  if (stored === null || typedTextOf(stored) === typedTextOf(initial)) deleteDraft(key)
  // The form lacks fields for the text, or has more: send-forms.js requests another one.
  else if (sectionCountOf(stored) !== sectionCountOf(initial))
    return drafts.set(form, { key, initial, restored: stored, needsForm: true })
  else showRestored(form, stored)
  restoreSecondDraft(form)
}

/** Fills a form with text that was not saved, and says so. */
function showRestored(form, stored) {
  const { key, initial } = drafts.get(form)
  fillForm(form, stored)
  drafts.set(form, { key, initial, restored: stored, stored })
  const notice = showNotice(form, translate('drafts.restored'))
  const discard = async () => {
    await discardDraft(form)
    reloadForm(form)
  }
  notice.append(createButton(translate('drafts.discard'), discard))
}

/** Offers the text of a tab that was closed before the person chose one of two texts. */
function restoreSecondDraft(form) {
  const { key } = drafts.get(form)
  const second = readDraft(secondKeyOf(key))
  if (second === null || second === valuesOf(form)) return deleteDraft(secondKeyOf(key))
  const notice = showNotice(form, translate('drafts.two_texts'))
  notice.append(
    createButton(translate('drafts.use_other'), () => {
      storeValues(key, second)
      deleteDraft(secondKeyOf(key))
      reloadForm(form)
    }),
  )
}

// Another tab has stored text for a form of this tab.
addEventListener('storage', ({ key }) => {
  for (const [form, state] of drafts) if (state.key === key && isChanged(form)) saveDraft(form)
})

/** A script shows a newer version of a form: its stored text is still that of the person. */
window.renewDraft = (before, form) => {
  const wasChanged = isChanged(before)
  drafts.delete(before)
  drafts.set(form, { key: keyOf(form), initial: valuesOf(form), stored: readDraft(keyOf(form)) })
  return () => {
    saveDraft(form)
    if (wasChanged && !isChanged(form)) void window.discardServerDraft?.(form)
  }
}

/** Says that nothing is left to restore, and stores nothing of the form any more. */
async function discardDraft(form) {
  // A form that was closed before the server has answered is not in `drafts` any more.
  const key = drafts.get(form)?.key ?? keyOf(form)
  const isSecond = tabNoticeOf(form) !== null
  deleteDraft(isSecond ? secondKeyOf(key) : key)
  drafts.delete(form)
  // The text of the other tab stays.
  if (isSecond) return
  await window.discardServerDraft?.(form)
}

/** Shows a form again as it is stored. */
function reloadForm(form) {
  if (form.closest('.in-place-editor')) return window.reopenEditor()
  isLeaving = true
  // What is typed until the server has answered would be lost.
  form.inert = true
  location.reload()
}

/** Shows a message above a form, in place of an earlier one. */
function showNotice(form, text, tone = '') {
  form.querySelector(':scope > .draft-notice')?.remove()
  const notice = document.createElement('div')
  notice.className = `notice row draft-notice ${tone}`
  const message = document.createElement('span')
  // Buttons that follow the message are not announced.
  if (tone === 'danger') notice.role = 'alert'
  else message.role = 'status'
  message.textContent = text
  notice.append(message)
  form.prepend(notice)
  if (tone !== 'danger') announceNew(message)
  return notice
}

const draftTimers = new WeakMap()
document.addEventListener('input', ({ target }) => {
  const form = target.closest('form')
  if (!drafts.has(form)) return
  clearTimeout(draftTimers.get(form))
  // Storing after a pause, not for each letter.
  draftTimers.set(
    form,
    setTimeout(() => saveDraft(form), 300),
  )
})

addEventListener('beforeunload', (event) => {
  const changed = [...drafts.keys()].filter((form) => form.isConnected && isChanged(form))
  if (isLeaving || changed.length === 0) return
  for (const form of changed) saveDraft(form)
  if (changed.some((form) => !('savedOnChange' in form.dataset))) event.preventDefault()
})

for (const form of document.querySelectorAll('form[data-draft]')) restoreDraft(form)

// Text of forms that are not opened again, also of other people who have used this browser.
try {
  for (const key of Object.keys(draftStorage()))
    if (key.startsWith(allDrafts) && readDraft(key) === null) deleteDraft(key)
} catch {}
