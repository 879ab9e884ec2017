// Starts Swagger UI on the document that #api-reference names.
const reference = document.querySelector('#api-reference')
const dark = matchMedia('(prefers-color-scheme: dark)')
const setTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', setTheme)
setTheme()

const answer = await fetch(reference.dataset.url)
const spec = await answer.json()
globalThis.SwaggerUIBundle({
  domNode: reference,
  // This page may be open under another name of the host than the document has: calls stay here.
  spec: { ...spec, servers: [{ url: location.origin }] },
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})
