// The one connection of a page to the server: the number of drafts in the navigation, and the messages that
// other scripts listen for as `tidings:live`. It is open while the page is visible; browsers open only a few
// connections to one server.

const liveSource = document.getElementById('live')?.dataset.source ?? '/live'
const liveMessages = ['counts', 'viewers', 'changed', 'posts']
const livePollMs = 15_000
const maxDrafts = 100

let liveConnection = null
let livePollTimer

function showDraftCount({ drafts }) {
  const badge = document.getElementById('draft-count')
  if (!badge) return
  const count = drafts >= maxDrafts ? `${maxDrafts - 1}+` : String(drafts)
  badge.hidden = drafts === 0
  badge.firstElementChild.textContent = count
  badge.lastElementChild.textContent =
    drafts === 1 ? translate('live.one_draft') : translate('live.drafts', { count })
}

function passOn(name, data) {
  if (name === 'counts') showDraftCount(data)
  document.dispatchEvent(new CustomEvent('tidings:live', { detail: { name, data } }))
}

function connectLive() {
  if (liveConnection || document.visibilityState !== 'visible') return
  liveConnection = new EventSource(liveSource)
  liveConnection.addEventListener('open', () => {
    clearInterval(livePollTimer)
    passOn('connected', null)
  })
  for (const name of liveMessages) {
    liveConnection.addEventListener(name, ({ data }) => passOn(name, JSON.parse(data)))
  }
  liveConnection.addEventListener('error', () => {
    passOn('viewers', [])
    // A browser connects again by itself, unless the server has refused it.
    if (liveConnection?.readyState === EventSource.CLOSED) pollLive()
  })
}

function disconnectLive() {
  liveConnection?.close()
  liveConnection = null
  clearInterval(livePollTimer)
}

/** Asks now and then, and tries to connect again. */
function pollLive() {
  disconnectLive()
  // Nothing announces that the server accepts connections again, so the page asks after a pause.
  livePollTimer = setInterval(async () => {
    const response = await fetchInTeam(liveSource).catch(() => null)
    if (!response?.ok || response.redirected) return
    const data = await response.json()
    passOn('counts', data)
    passOn('connected', null)
    if (data.version) passOn('changed', data)
    connectLive()
  }, livePollMs)
}

if (document.body.dataset.account) {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') connectLive()
    else disconnectLive()
  })
  addEventListener('pagehide', disconnectLive)
  addEventListener('pageshow', connectLive)
}
