// Stores unsaved text also on the server, so that a person finds it in another browser or on another
// device. `drafts.js` stores it on this device at once. Pages with such a form load this script.
// Forms with `data-draft="device"` can contain secrets and personal data: their text stays on this device.

const autosaveTimers = new Map()
// Forms for everybody have no person whose drafts could be stored.
const hasAccount = Boolean(document.body.dataset.account)
const serverFormOf = (form) => `${pageOf(form)} ${form.getAttribute('action')}`

const isForDeviceOnly = (form) => form.dataset.draft === 'device'

/** The place at the end of a form that says where its text is stored. */
function stateOf(form) {
  const known = form.querySelector('.autosave-state')
  if (known) return known
  const state = document.createElement('p')
  state.className = 'autosave-state'
  state.setAttribute('role', 'status')
  form.append(state)
  return state
}

// Screen readers announce a text only in a place that was there before it.
document.addEventListener('focusin', ({ target }) => {
  const form = target.closest('form')
  if (hasAccount && drafts.has(form)) stateOf(form)
})

/** Shows at the end of a form where its text is stored. */
function showAutosave(form, text) {
  const state = stateOf(form)
  if (state.textContent !== text) state.textContent = text
}

function postDraft(form, content, savedAt) {
  const body = new URLSearchParams({
    csrf: form.elements.csrf.value,
    form: serverFormOf(form),
    content,
    saved_at: savedAt,
    age: Math.max(0, Date.now() - savedAt),
  })
  return fetchInTeam('/drafts', {
    method: 'POST',
    headers: { 'hx-request': 'true' },
    body,
    // Browsers send at most 64 KiB after the page is left; a letter can have nine bytes in the body.
    keepalive: body.toString().length < 60_000,
  })
}

const firstRetryMs = 5_000
const maxRetryMs = 60_000
/** How long the next repetition waits, for each form whose last request has failed. */
const retryDelays = new WeakMap()
/** The repetition that waits, for each form whose last request has failed. */
const repetitions = new Map()

/** Repeats a request later when the server did not answer (null) or had an error. */
function repeatIfFailed(form, response, request) {
  if (response && response.status < 500) return retryDelays.delete(form)
  // What was typed meanwhile is sent in its place.
  if (autosaveTimers.has(form)) return
  const delayMs = retryDelays.get(form) ?? firstRetryMs
  retryDelays.set(form, Math.min(2 * delayMs, maxRetryMs))
  endRepetition(form)
  const repeat = () => {
    endRepetition(form)
    if (form.isConnected && !isLeaving) request().catch(() => {})
  }
  repetitions.set(form, { repeat, timer: setTimeout(repeat, delayMs) })
}

function endRepetition(form) {
  clearTimeout(repetitions.get(form)?.timer)
  repetitions.delete(form)
}

/** What a form says after its text was sent; `response` is null when the server did not answer. */
function stateText(response, content) {
  if (!response) return translate('autosave.offline')
  if (content === '') return ''
  return translate(response.ok ? 'autosave.saved' : 'autosave.kept')
}

/** The time of the last request for each form. */
const requestTimes = new WeakMap()

async function autosave(form) {
  if (!form.isConnected || isLeaving) return
  // Two tabs have different texts, which are both kept on this device.
  if (tabNoticeOf(form)) return
  const content = isChanged(form) ? valuesOf(form) : ''
  if (isForDeviceOnly(form)) return showDeviceOnly(form, content)
  await sendDraft(form, content, nextTime(keyOf(form)))
}

/** Sends text with the time at which it was typed: a repetition does not replace what was stored elsewhere since. */
async function sendDraft(form, content, savedAt) {
  const key = keyOf(form)
  requestTimes.set(form, savedAt)
  const response = await postDraft(form, content, savedAt).catch(() => null)
  if (response?.ok) markAsSaved(key, content, savedAt)
  // A later request says where newer text is stored.
  if (requestTimes.get(form) !== savedAt) return
  showAutosave(form, stateText(response, content))
  repeatIfFailed(form, response, () => sendDraft(form, content, savedAt))
}

function showDeviceOnly(form, content) {
  if (content === '') return showAutosave(form, '')
  // The storage of a browser can be full or blocked.
  const isKept = readDraft(keyOf(form)) === content
  showAutosave(form, isKept ? translate('autosave.device') : translate('autosave.not_kept'))
}

/** Stores that the server has the text of this device, too. */
function markAsSaved(key, content, savedAt) {
  const local = readStored(key)
  if (local?.values !== content) return
  try {
    storeValues(key, content, { at: local.at, savedAt: Math.max(local.at, savedAt) })
  } catch {
    // The storage is full; the text stays as it is.
  }
}

/** True for text that no other device can have: it was typed after the last request that the server answered. */
const isOnlyHere = ({ at, savedAt = 0 }) => savedAt < at

/** Says that nothing is left to restore, because the form was saved or its text discarded. */
window.discardServerDraft = async (form) => {
  clearTimeout(autosaveTimers.get(form))
  autosaveTimers.delete(form)
  endRepetition(form)
  const savedAt = nextTime(keyOf(form))
  // A request that is under way is not repeated when it fails.
  requestTimes.set(form, savedAt)
  if (hasAccount) await postDraft(form, '', savedAt).catch(() => {})
}

/** True when a draft on the server contains what a person typed or chose in a form with these values. */
const isSameText = (content, values) =>
  content !== '' && typedTextOf(content) === typedTextOf(values)

/** The stored text of a form when it shows this text and no other device can have it; otherwise null. */
function findOnlyHere(form) {
  const { key, restored } = drafts.get(form) ?? {}
  const local = restored ? readStored(key) : null
  return local && local.values === restored && isOnlyHere(local) ? local : null
}

/** Reads the draft of a form on the server: another device can have newer text. */
async function loadServerDraft(form) {
  const query = new URLSearchParams({ form: serverFormOf(form) })
  const response = await fetchInTeam(`/drafts?${query}`).catch(() => null)
  // Other text is loaded with the page only: it would replace the page while the person works in it.
  if (findOnlyHere(form)) repeatIfFailed(form, response, () => loadServerDraft(form))
  if (!response?.ok || response.redirected) return
  const draft = (await response.json()) ?? { content: '', savedAt: 0 }
  // The form was saved or its text discarded meanwhile.
  if (!drafts.has(form)) return
  const { key, initial, restored } = drafts.get(form)
  // The time after that of the draft is used below.
  noteTime(key, draft.savedAt + 1)
  // The person has typed something since.
  if (valuesOf(form) !== (restored ?? initial)) return
  // It was saved, and the request that says so did not arrive. A draft that is newer stays.
  if (isSameText(draft.content, initial)) {
    void postDraft(form, '', draft.savedAt + 1).catch(() => {})
    draft.content = ''
  }
  const local = findOnlyHere(form)
  if (local) await keepLocal(form, draft, local)
  else takeOver(form, draft, readStored(key))
}

/** Keeps text that only this device has, and asks which text the person wants when the server has another one. */
async function keepLocal(form, { content, savedAt }, local) {
  const { key, restored } = drafts.get(form)
  if (isSameText(content, restored)) return markAsSaved(key, restored, savedAt)
  // The text of the server is one that this device had, too.
  if (content === '' || savedAt <= (local.savedAt ?? 0)) return await autosave(form)
  // The text of another tab is already there to choose.
  if (readDraft(secondKeyOf(key)) !== null) return
  storeValues(secondKeyOf(key), content)
  restoreSecondDraft(form)
}

/** Stores a draft of the server that is newer than the one on this device: the reload restores it. */
function takeOver(form, { content, savedAt }, local) {
  const { key, initial, restored } = drafts.get(form)
  if (savedAt <= (local?.at ?? 0)) return
  // The form shows this text already.
  if ([initial, restored].includes(content)) return
  if (content === '' && !local) return
  if (content === '') deleteDraft(key)
  else storeValues(key, content, { at: savedAt, savedAt })
  // What is not restored, such as text that is too old for the clock of the browser, would be loaded for ever.
  if (content !== '' && readDraft(key) !== content) return deleteDraft(key)
  reloadForm(form)
}

document.addEventListener('input', ({ target }) => {
  const form = target.closest('form')
  if (!hasAccount || !drafts.has(form)) return
  endRepetition(form)
  clearTimeout(autosaveTimers.get(form))
  const send = () => {
    autosaveTimers.delete(form)
    void autosave(form)
  }
  // One request per pause, not per letter.
  autosaveTimers.set(form, setTimeout(send, 1000))
})

addEventListener('online', () => {
  for (const { repeat } of [...repetitions.values()]) repeat()
})

if (hasAccount) {
  for (const form of drafts.keys())
    if (!isForDeviceOnly(form)) loadServerDraft(form).catch(() => {})
}
