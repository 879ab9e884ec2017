// Shows a text while the server sends it: one JSON object per line, see http/event-stream.ts.

/** Tags are removed without running or loading anything: a parsed document has no window. */
const plainText = (html) =>
  new DOMParser().parseFromString(html.replaceAll('</p>', '</p>\n'), 'text/html').body.textContent

/** A box after the pressed button with the text so far and a button that stops it. */
function showText(submitter, onStop) {
  const box = document.createElement('div')
  box.className = 'streamed-text'
  box.setAttribute('aria-busy', 'true')
  const title = document.createElement('strong')
  const body = document.createElement('p')
  const stop = document.createElement('button')
  stop.type = 'button'
  stop.className = 'small'
  stop.textContent = translate('streamed-text.stop')
  stop.addEventListener('click', onStop)
  box.append(title, body, stop)
  submitter.after(box)
  return {
    show(text) {
      title.textContent = plainText(text.title)
      body.textContent = plainText(text.body)
    },
    remove: () => box.remove(),
  }
}

/**
 * Sends a request and shows the text of its events. Returns the last event as `result`, or the `response`
 * when it is a page. Throws when the server cannot be reached.
 */
window.followEvents = async (submitter, { url, body, headers }) => {
  const abort = new AbortController()
  const box = showText(submitter, () => abort.abort())
  try {
    const accept = 'application/x-ndjson'
    const response = await fetch(url, {
      ...{ method: 'POST', body, headers: { ...headers, accept }, signal: abort.signal },
    })
    if (response.headers.get('content-type') !== accept) return { response }
    let result = { type: 'failed', message: translate('streamed-text.interrupted') }
    for await (const event of eventsOf(response)) {
      if (event.type === 'text') box.show(event)
      else result = event
    }
    return { result }
  } catch (error) {
    if (!abort.signal.aborted) throw error
    return { result: { type: 'stopped', message: translate('streamed-text.stopped') } }
  } finally {
    box.remove()
  }
}

// A form whose result is a part of this page.
document.addEventListener('submit', async (event) => {
  const { target: form, submitter } = event
  const place = submitter?.dataset.events && document.querySelector(submitter.dataset.events)
  if (!place || form.getAttribute('aria-busy') === 'true') return
  event.preventDefault()
  form.setAttribute('aria-busy', 'true')
  try {
    const request = { url: form.action, body: new URLSearchParams(new FormData(form)) }
    const { response, result } = await followEvents(submitter, request)
    // Another page, such as the one to sign in.
    if (response) return form.submit()
    if (result.type === 'html') place.innerHTML = result.html
    else place.textContent = result.message
  } catch {
    place.textContent = translate('common.cannot_be_reached')
  } finally {
    form.removeAttribute('aria-busy')
  }
})

async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop()
    for (const line of lines) yield JSON.parse(line)
  }
}
