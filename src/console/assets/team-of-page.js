// Requests of scripts name the team of this page, because another tab can have switched the team of the session.

/** The header that names the team of this page; without a value where nobody is signed in. */
window.teamHeaders = () => ({ 'x-team': document.body.dataset.team ?? '' })

/** `fetch` in the team of this page. */
window.fetchInTeam = (url, { headers, ...init } = {}) =>
  fetch(url, { ...init, headers: { ...headers, ...teamHeaders() } })

// htmx sends requests of its own.
document.addEventListener('htmx:config:request', ({ detail }) =>
  Object.assign(detail.ctx.request.headers, teamHeaders()),
)
