// Refreshes the first steps while some of them are open. What a person is typing stays.

const refreshMs = 3000

/** The parts of a step without its form. */
const partsOf = (step) => [...step.children].filter((part) => !part.matches('.step-form'))

/** What a person sees of a part, and where it leads; the tokens in its HTML differ each time. */
const shownBy = (part) =>
  [part.textContent, ...[...part.querySelectorAll('a, form')].map(targetOf)].join()

const targetOf = (element) => element.getAttribute('href') ?? element.getAttribute('action')

/** Shows the present state of a step. What is the same stays where it is, so that it keeps text and focus. */
function refreshStep(step, fresh) {
  step.className = fresh.className
  step.ariaCurrent = fresh.ariaCurrent
  const shown = partsOf(step)
  const parts = partsOf(fresh)
  for (const part of shown.slice(parts.length)) part.remove()
  const form = step.querySelector('.step-form')
  for (const [at, part] of parts.entries()) {
    if (!shown[at]) step.insertBefore(part, form)
    else if (shownBy(shown[at]) !== shownBy(part)) shown[at].replaceWith(part)
  }
}

async function refreshSteps() {
  // Without a message that is meant for the next page.
  const response = await fetchInTeam('/welcome', { headers: { 'hx-request': 'true' } })
  if (!response.ok || response.redirected) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const steps = document.getElementById('steps')
  const fresh = page.getElementById('steps')
  if (!fresh) return
  steps.toggleAttribute('data-refreshed', fresh.hasAttribute('data-refreshed'))
  const [progress, freshProgress] = [steps, fresh].map((one) => one.querySelector('[role=status]'))
  if (progress.textContent !== freshProgress.textContent)
    progress.replaceChildren(...freshProgress.childNodes)
  const freshSteps = fresh.querySelectorAll('.step')
  for (const [at, step] of steps.querySelectorAll('.step').entries())
    refreshStep(step, freshSteps[at])
}

setInterval(() => {
  if (document.hidden || !document.querySelector('#steps[data-refreshed]')) return
  refreshSteps().catch(() => {})
}, refreshMs)
