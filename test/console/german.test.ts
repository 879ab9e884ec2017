import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { basename } from 'node:path'
import { loadAdapters } from '../../integrations/index.ts'
import { findConsoleAssets } from '../../src/console/assets.ts'
import { de } from '../../src/console/locales/de.ts'
import { en } from '../../src/console/locales/en.ts'
import { translateTo } from '../../src/console/locales/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import {
  type Examples,
  examplesFor,
  isFile,
  pathOf,
  routes,
} from '../support/browser/console-walk.ts'
import { logIn, member, type Person, person, signedIn } from '../support/console.ts'
import { blockOf, newsletterOf, unlimitedClient } from '../support/newsletters.ts'

const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }

const adapters = await loadAdapters()

let app: TestApp
let team: Team
let admin: Person
let examples: Examples
beforeAll(async () => {
  app = await startApp({ adapters: [...adapters.values()], forward: false })
  team = await app.team()
  await app.sql`update teams set language = 'de' where id = ${team.id}`
  const account = await member(app, team, 'admin', { name: 'Ada' })
  admin = person(app.base, german)
  await logIn(admin, account.email)
  examples = await examplesFor(app, team, 'Zugvogel')
})
afterAll(() => app.close())

/** What a person reads on a page: its texts, and the attributes that browsers show or read aloud. */
async function textsOn(html: string): Promise<string[]> {
  const texts: string[] = []
  let text = ''
  const end = () => {
    texts.push(text.replaceAll(/\s+/g, ' ').trim())
    text = ''
  }
  // Bold words of a guide are those of the provider's pages.
  const shown = html.replaceAll(/<(script|style|noscript|pre|code|strong)\b.*?<\/\1>/gs, '')
  await new HTMLRewriter()
    .on('[aria-label], [placeholder], [data-label]', {
      element(element) {
        for (const name of ['aria-label', 'placeholder', 'data-label'])
          texts.push(element.getAttribute(name) ?? '')
      },
    })
    .onDocument({
      text(chunk) {
        text += chunk.text
        if (chunk.lastInTextNode) end()
      },
    })
    .transform(new Response(shown))
    .text()
  return texts.filter((one) => one !== '')
}

// Texts with arguments are parts of sentences; words such as "Name" are the same in German.
const translated = Object.entries(en).filter(([key, text]) => {
  const own = Object.entries(de).find(([name]) => name === key)?.[1]
  return own !== text && !/[{<]/.test(text) && !key.startsWith('script.')
})
const englishTexts = new Set<string>(translated.map(([, text]) => text))
const germanTexts = new Set<string>(Object.values(de))
const keys = new Set(Object.keys(en))
const englishWords = /\b(?:the|and|your|with|this|that|are|from|of|have|has|for)\b/i

const isEnglish = (text: string) =>
  (englishTexts.has(text) && !germanTexts.has(text)) || keys.has(text) || englishWords.test(text)

// A sample request of a provider and what an adapter makes of it are in the language of the provider.
const untranslated = /^\/integrations\/:id\/try/

const pages = routes.filter(
  ({ method, role, path }) => method === 'GET' && role !== null && !untranslated.test(path),
)

describe('The console in German', () => {
  for (const route of pages.filter((one) => !isFile(one)))
    test(`the page ${route.path} is in German`, async () => {
      const { html, status } = await admin.get(pathOf(route, examples))
      if (status !== 200) return
      expect(html).toContain('<html lang="de">')
      expect((await textsOn(html)).filter(isEnglish)).toEqual([])
    })

  test.each([...adapters.keys()])('the page that connects %s is in German', async (slug) => {
    const { html, status } = await admin.get(`/integrations/connect/${slug}`)
    expect(status).toBe(200)
    expect((await textsOn(html)).filter(isEnglish)).toEqual([])
  })

  test.each(['/login', '/forgot', '/nowhere', '/join/x', '/setup/x', '/reset/x'])(
    'the page %s is in German for a browser in German',
    async (path) => {
      const { html } = await person(app.base, german).get(path)
      expect(html).toContain('<html lang="de">')
      expect((await textsOn(html)).filter(isEnglish)).toEqual([])
    },
  )

  test('the warnings about a newsletter, and why it cannot become ready, are in German', async () => {
    const call = await unlimitedClient(app, team)
    const links = [
      ...['https://bank.test@evil.test', 'mailto:a@b.test?cc=c@d.test', 'tel:x', 'mailto:x'],
      ...['www.example.com', 'https:example.com', 'https://https/x', 'https://a b.test'],
    ]
    const body = links.map((href) => `<p><a href="${href}">Klick</a></p>`).join('')
    const other =
      '<p><a href="https://evil.test">www.bank.test</a><img src="http://a.test/b" width="1"></p>'
    const publish_after = new Date(Date.now() + 86_400_000).toISOString()
    const blocks = [
      await blockOf(call, { title: 'Kaffee', status: 'draft', body_format: 'html', body }),
      await blockOf(call, { title: 'Tee', body_format: 'html', body: other, publish_after }),
    ]
    const path = await newsletterOf(call, blocks, { title: 'Winter', subject_line: null })
    const { html } = await admin.get(path)
    const warnings = html.slice(html.indexOf('id="warnings"'))
    expect(warnings).toContain('Der Betreff fehlt.')
    expect(warnings).toContain('„Kaffee“ ist noch ein Entwurf.')
    expect(warnings).toContain('„Tee“ darf erst ab ')
    expect((await textsOn(warnings)).filter(isEnglish)).toEqual([])
    const { version } = (await call('GET', path)).json.newsletter
    await admin.post(`${path}/status`, { to: 'ready', version: String(version) })
    const refused = await admin.get(path)
    expect(refused.html).toContain(
      'Der Newsletter kann noch nicht bereit werden: der Betreff fehlt; Beitrag 1, „Kaffee“, ist noch ein Entwurf; Beitrag 2, „Tee“, hat eine Sperrfrist bis ',
    )
  })

  test('the warnings about a block whose title has a semicolon are in German, and so are the reasons against sending', async () => {
    const call = await unlimitedClient(app, team)
    const body = '<p><a href="https://a b.test">Klick</a><img src="https://a.test/b"></p>'
    const block = { title: 'Tee; Kuchen', status: 'draft', body_format: 'html', body }
    const path = await newsletterOf(call, [await blockOf(call, block)], {
      title: 'Winter',
      subject_line: null,
    })
    const { html } = await admin.get(path)
    const warnings = html.slice(html.indexOf('id="warnings"'))
    expect(warnings).toContain('„Tee; Kuchen“ ist noch ein Entwurf.')
    expect(warnings).toContain('Der Link „Klick“ in „Tee; Kuchen“ ')
    expect(warnings).toContain('Ein Bild in „Tee; Kuchen“ hat keinen Alternativtext; ')
    expect((await textsOn(warnings)).filter(isEnglish)).toEqual([])
    const { version } = (await call('GET', path)).json.newsletter
    await admin.post(`${path}/status`, { to: 'ready', version: String(version) })
    expect((await admin.get(path)).html).toContain(
      'der Betreff fehlt; Beitrag 1, „Tee; Kuchen“, ist noch ein Entwurf',
    )
  })

  test('rare warnings about links, every reason against sending and the state of a connection have a German text', () => {
    const t = translateTo('de')
    const link = (end: string) => `The link “Klick” in “Kaffee” ${end}.`
    const sentences = [
      link('needs two slashes after https:'),
      link('has no website in its address'),
      link('leads nowhere: it has no address'),
      link('leads to evil.test, not to where it says'),
      'The cover image is left out: its address must start with https://.',
      ...[
        ...['in the introduction', 'in the closing text', 'in the callout “Kaffee”'],
        ...['in a callout', 'in the poll “Kaffee”'],
      ].map((part) => `The link “Klick” ${part} has a space in its address.`),
      'An image in the introduction has no alternative text; readers without images do not learn what it shows.',
      'The newsletter cannot become sent: a second person has not approved it as it is.',
      'The last request had no valid signature.',
      'Check the secret: it has to be the same here and at the provider.',
      'The newsletter cannot become sent: it looks different from what was approved, because its template, the brand or an image changed; set it back to in_progress and have it approved again.',
    ]
    for (const sentence of sentences) {
      const german = t.fromEnglish(sentence)
      expect(german).not.toBe(sentence)
      expect(german).not.toMatch(englishWords)
    }
  })

  test('the errors of a form are in German', async () => {
    const { html } = await admin.post('/account', { name: '' })
    expect(html).toContain('Name fehlt.')
  })
})

describe('The language of a person', () => {
  test('the language that a person has chosen is preferred to the language of the browser', async () => {
    const { email } = await member(app, team, 'viewer')
    const reader = person(app.base, german)
    await logIn(reader, email)
    expect((await reader.get('/account')).html).toContain('Ihr Konto')
    await reader.post('/account', { name: 'Reader', language: 'en' })
    const { html } = await reader.get('/account')
    expect(html).toContain('Your account')
    expect(html).toContain('<html lang="en">')
    expect(html).toContain('Saved.')
  })

  test('a browser without a language of the console gets the language of the team', async () => {
    const reader = await signedIn(app, team, 'viewer')
    const { html } = await reader.get('/account', { 'accept-language': 'fr' })
    expect(html).toContain('Ihr Konto')
  })
})

test('every text that a script shows is in the catalog, and no other', async () => {
  const folder = new URL('../../src/console/assets/', import.meta.url).pathname
  const files = await Array.fromAsync(new Bun.Glob('**/*.js').scan(folder))
  // Others are scripts of packages.
  const own = new Set(files.map((path) => basename(path)))
  const used = new Set<string>()
  for (const [name, { content }] of Object.entries(findConsoleAssets())) {
    if (!own.has(name)) continue
    const source = content.toString()
    for (const [, key = ''] of source.matchAll(/'([\w-]+\.[a-z_]+)'/g)) {
      const owner = `${key.split('.')[0]}.js`
      expect([name, key, [name, 'common.js'].includes(owner)]).toEqual([name, key, true])
      used.add(`script.${key}`)
    }
    expect([name, /translate\((?!')(?!\w+(?: === \S+|\.\w+) \?)/.exec(source)]).toEqual([
      name,
      null,
    ])
    expect([name, /(?:textContent|title) = ['`]\w/.exec(source)]).toEqual([name, null])
  }
  const inCatalog = Object.keys(en).filter((key) => key.startsWith('script.'))
  expect([...used].toSorted()).toEqual(inCatalog.toSorted())
})

// What only programs and the command line are told.
const notOnPages = /^(?:api-keys\/caller|backups|idempotency|ingest|installation)\b/

const errorText =
  /(?:AppError\(\s*'\w+',|invalidField\(\s*[^,]+,|notFound\()\s*'((?:[^'\\\n]|\\.)+)'/g

/** The texts of the errors in a file. */
const errorsIn = (source: string): string[] =>
  [...source.matchAll(errorText)].map(
    ([call, written = '']) =>
      written.replaceAll("\\'", "'") + (call.startsWith('notFound') ? ' was not found' : ''),
  )

test('every error that a page can show has a German text', async () => {
  const t = translateTo('de')
  const english: string[] = []
  for (const folder of ['features', 'console']) {
    const root = new URL(`../../src/${folder}/`, import.meta.url).pathname
    const names = await Array.fromAsync(new Bun.Glob('**/*.{ts,tsx}').scan(root))
    for (const name of names.filter((one) => !notOnPages.test(one)))
      english.push(...errorsIn(await Bun.file(root + name).text()))
  }
  expect(english.length).toBeGreaterThan(80)
  const isGerman = (text: string) =>
    t.fromEnglish(text) !== text && !/: Th(?:e|is) /.test(t.fromEnglish(text))
  expect(english.filter((text) => !isGerman(text) && !isGerman(`title ${text}`))).toEqual([])
})

test('an error page tells a person in German why a page is not allowed, or what was not found', async () => {
  const { email } = await member(app, team, 'viewer')
  const viewer = person(app.base, german)
  await logIn(viewer, email)
  const refused = await viewer.get('/settings/keys')
  expect([refused.status, refused.html.match(/Dafür ist [^<]+/)?.[0]]).toEqual([
    403,
    'Dafür ist die Rolle Admin nötig. Ihre Rolle ist Lesezugriff; ein Admin des Teams kann das ändern.',
  ])
  const { html } = await person(app.base, german).get('/archive/acme/nope')
  expect((await textsOn(html)).filter(isEnglish)).toEqual([])
})

test('every text of the console in German has the arguments and tags of the English text', () => {
  const namesIn = (text: string) =>
    [...text.matchAll(/\{(\w+)[,}]|<(\w+)>/g)].map(([all]) => all.replace(',', '}')).toSorted()
  for (const [key, text] of Object.entries(en)) {
    const own = Object.entries(de).find(([name]) => name === key)?.[1] ?? ''
    expect([key, namesIn(own)]).toEqual([key, namesIn(text)])
  }
})

test('texts of the console with a tag or an entity are only used as HTML', () => {
  const t = translateTo('de')
  expect(String(t('common.saved'))).toBe(de['common.saved'])
  for (const text of [...Object.values(en), ...Object.values(de)]) {
    expect(text).not.toMatch(/&|<(?!\/?\w+>)/)
  }
})

test.each([
  [
    'release: the repository is not on the list of this connection (repositories)',
    'release: das Repository steht nicht auf der Liste dieser Verbindung (repositories)',
  ],
  ['push creates no block', 'push ergibt keinen Beitrag'],
  ['66.0 GB are free for /data.', '66,0 GB sind frei für /data.'],
  [
    'Given up: The call to hooks.acme.test failed: timeout',
    'Aufgegeben: Der Aufruf von hooks.acme.test ist fehlgeschlagen: timeout',
  ],
  [
    'A used block cannot become draft.',
    'Ein Beitrag mit dem Status „Verwendet“ kann nicht den Status „Entwurf“ bekommen.',
  ],
  [
    'A newsletter that is ready cannot become draft, only in_progress or sent.',
    'Ein Newsletter mit dem Status „Bereit“ kann nicht den Status „Entwurf“ bekommen, nur „In Bearbeitung oder Gesendet“.',
  ],
  [
    'release: a reason that a new integration has: as it is',
    'release: a reason that a new integration has: as it is',
  ],
])(
  'the reason “%s” is in German in the console, and one without a translation stays',
  (english, german) => {
    expect(translateTo('de').fromEnglish(english)).toBe(german)
    expect(translateTo('en').fromEnglish(english)).toBe(english)
  },
)
