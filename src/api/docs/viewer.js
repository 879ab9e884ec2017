// Builds the page around Swagger UI, on the document that the page's #api-reference names.
const { url, configuration } = document.querySelector('#api-reference').dataset
const { styles, links } = JSON.parse(configuration)
document.documentElement.lang = 'en'

for (const href of styles) {
  const link = document.createElement('link')
  Object.assign(link, { rel: 'stylesheet', href })
  document.head.append(link)
}

const header = document.createElement('header')
for (const { href, text } of links) {
  const link = document.createElement('a')
  Object.assign(link, { href, textContent: text })
  if (href === location.pathname) link.ariaCurrent = 'page'
  header.append(link)
}
const main = document.createElement('main')
document.body.className = 'wide'
document.body.append(header, main)

const dark = matchMedia('(prefers-color-scheme: dark)')
const setTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', setTheme)
setTheme()

/** Makes Swagger UI usable with a screen reader: no link inside a button, no list of one server. */
const accessible = () => ({
  wrapComponents: {
    DeepLink:
      (_, { React }) =>
      ({ text }) =>
        React.createElement('span', null, text),
    ServersContainer: () => () => null,
  },
})

fetch(url)
  .then((response) => response.json())
  .then((spec) =>
    globalThis.SwaggerUIBundle({
      domNode: main,
      // The page can be open under another name of the host than the document has: calls stay here.
      spec: { ...spec, servers: [{ url: location.origin }] },
      plugins: [accessible],
      deepLinking: true,
      defaultModelsExpandDepth: 0,
      requestSnippetsEnabled: true,
      validatorUrl: null,
    }),
  )
  .catch(() => {
    main.textContent = `The documentation did not load. Reload the page, or open ${url}.`
  })
