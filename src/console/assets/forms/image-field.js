// Uploads images as soon as they are chosen, dropped or pasted. A form that is sent meanwhile waits for its
// image. Without this script the form sends the file.

const maxBytes = 10 * 1024 * 1024
const part = (field, name) => field.querySelector(name)

/** What is wrong with a file, and what to do; empty when nothing is. */
function problemOf(file) {
  const { type, size } = file
  const accepted = document.querySelector('[data-image-field] [type=file]').accept.split(',')
  const name = file.name || translate('image-field.unnamed')
  if (type && !accepted.includes(type)) return translate('image-field.wrong_type', { name })
  if (size > maxBytes) {
    const megabytes = Math.ceil(size / 1024 / 1024)
    return translate('image-field.large', { name, megabytes })
  }
  return ''
}

function showMessage(field, text, isError = false) {
  const message = part(field, '[data-image-message]')
  message.textContent = text
  message.hidden = text === ''
  announceNew(message)
  message.classList.toggle('field-error', isError)
  part(field, '[type=file]').setAttribute('aria-invalid', String(isError))
}

/** Sends a file; returns the status and the body of the response. Status 0: the server was not reached. */
function send(form, file, { onProgress = () => {}, signal }) {
  const body = new FormData()
  body.set('csrf', form.elements.csrf.value)
  body.set('image', file)
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/images')
    const headers = { 'hx-request': 'true', ...teamHeaders() }
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total))
    request.addEventListener('loadend', () =>
      resolve({ status: request.status, body: request.response }),
    )
    signal?.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}

/** Uploads an image of a form; returns its address, or what is wrong and what to do. Never rejects. */
window.uploadImage = (form, file, options = {}) =>
  uploadSignedIn(form, file, options).catch(() => ({ error: translate('image-field.failed') }))

async function uploadSignedIn(form, file, options) {
  const problem = problemOf(file)
  if (problem) return { error: problem }
  const { status, body } = await send(form, file, options)
  if (status === 401 && (await window.signInAgain()) && !options.signal?.aborted)
    return await uploadSignedIn(form, file, options)
  // A proxy can send a page of its own.
  return status === 200 && body?.url ? { url: body.url } : { error: errorOf(status, body) }
}

/** The upload of a field that has not ended. */
const uploads = new Map()

/** The person has chosen another image, or none. */
function cancelUpload(field) {
  uploads.get(field)?.abort.abort()
  uploads.delete(field)
  part(field, 'progress').hidden = true
  showMessage(field, '')
}

async function upload(field, file) {
  cancelUpload(field)
  const chosen = part(field, '[type=file]')
  // An earlier file must not be sent in place of one that is dropped.
  if (chosen.files[0] !== file) chosen.value = ''
  const progress = part(field, 'progress')
  progress.value = 0
  progress.hidden = false
  showMessage(field, translate('image-field.uploading'))
  const abort = new AbortController()
  const onProgress = (share) => {
    progress.value = share * 100
  }
  const options = { onProgress, signal: abort.signal }
  const result = window.uploadImage(field.closest('form'), file, options)
  uploads.set(field, { abort, result })
  const { url, error } = await result
  if (abort.signal.aborted) return
  uploads.delete(field)
  progress.hidden = true
  if (error) return showMessage(field, error, true)
  chosen.value = ''
  const address = part(field, '[name=image_url]')
  address.value = url
  part(field, '[name=image_remove]').checked = false
  address.dispatchEvent(new Event('input', { bubbles: true }))
  const alt = part(field, '[name=image_alt]')
  showMessage(field, translate(alt.value ? 'image-field.uploaded' : 'image-field.describe'))
  if (!alt.value) alt.focus()
}

function errorOf(status, body) {
  if (status === 413) return translate('image-field.too_large')
  if (status === 422 && body?.error) return translate('image-field.unusable', { error: body.error })
  if (status === 403) return translate('image-field.not_allowed')
  return translate('image-field.failed')
}

/** Shows the image of an address of this service; another address is not loaded. */
function showImage(field) {
  const { value } = part(field, '[name=image_url]')
  const path = /\/media\/[0-9a-f]{64}\.(?:jpg|png)$/.exec(value)?.[0]
  const preview = part(field, '[data-image-preview]')
  preview.hidden = !path
  if (path) part(preview, 'img').src = path
  part(field, '[data-image-remove]').hidden = value === ''
  field.toggleAttribute(
    'data-has-image',
    value !== '' || part(field, '[name=image_alt]').value !== '',
  )
}

/** An image among dragged or copied data. Text that a program also copied as an image stays text. */
const imageIn = (data) =>
  data?.types.includes('text/plain')
    ? undefined
    : [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'))

const fieldOf = ({ target }) => target.closest?.('[data-image-field]')

document.addEventListener('change', (event) => {
  const field = fieldOf(event)
  const [file] = event.target.files ?? []
  if (field && file) void upload(field, file)
})

document.addEventListener('input', (event) => {
  const field = fieldOf(event)
  const { name, checked } = event.target
  if (!field || !(name === 'image_url' || (name === 'image_remove' && checked))) return
  cancelUpload(field)
  part(field, '[type=file]').value = ''
  if (name === 'image_url') showImage(field)
})

const uploadIn = (form) => [...uploads].find(([field]) => form.contains(field))?.[1]

/** Waits until no image of a form is uploaded any more; false when one could not be. */
async function waitForUploads(form) {
  const current = uploadIn(form)
  if (!current) return true
  const { error } = await current.result
  if (error && !current.abort.signal.aborted) return false
  return await waitForUploads(form)
}

const waitingForms = new WeakSet()

/** Sends a form when its image is uploaded; when it could not be, the message of its field stays. */
async function sendAfterUploads(form, submitter) {
  const field = form.querySelector('[data-image-field]')
  waitingForms.add(form)
  submitter?.setAttribute('aria-busy', 'true')
  const areUploaded = await waitForUploads(form)
  submitter?.removeAttribute('aria-busy')
  waitingForms.delete(form)
  if (!areUploaded) field.scrollIntoView({ block: 'nearest' })
  // The form can be closed or replaced, and its button, too.
  else if (form.isConnected) form.requestSubmit(submitter?.form === form ? submitter : null)
}

// Before the scripts that send forms.
addEventListener(
  'submit',
  (event) => {
    const { target: form, submitter } = event
    if (!uploadIn(form)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!waitingForms.has(form)) void sendAfterUploads(form, submitter)
  },
  true,
)

document.addEventListener('dragover', (event) => {
  const field = fieldOf(event)
  for (const one of document.querySelectorAll('[data-image-field]'))
    one.classList.toggle('drop-target', one === field)
  if (field) event.preventDefault()
})

for (const name of ['dragleave', 'drop'])
  document.addEventListener(name, (event) => fieldOf(event)?.classList.remove('drop-target'))

document.addEventListener('drop', (event) => {
  const field = fieldOf(event)
  if (!field) return
  event.preventDefault()
  const [file] = event.dataTransfer.files
  if (file) void upload(field, file)
})

// Before the rich-text editor sees it.
document.addEventListener(
  'paste',
  (event) => {
    const file = imageIn(event.clipboardData)
    const field = event.target.closest('form')?.querySelector('[data-image-field]')
    if (!file || !field) return
    event.preventDefault()
    event.stopPropagation()
    field.scrollIntoView({ block: 'nearest' })
    void upload(field, file)
  },
  true,
)

/** Runs again when a script has replaced the form, or restored its text. */
function startFields() {
  for (const field of document.querySelectorAll('[data-image-field]')) {
    showImage(field)
  }
}

startFields()
document.addEventListener('tidings:content', startFields)
