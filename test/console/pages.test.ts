import { afterAll, beforeAll, expect, test } from 'bun:test'
import { adapter as github } from '../../integrations/github/adapter.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { methodsIn } from '../../src/lib/http/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import {
  type Examples,
  examplesFor,
  isFile,
  pathOf,
  routes,
} from '../support/browser/console-walk.ts'
import { type Person, person, signedIn } from '../support/console.ts'

const hostile = `"><img src=x onerror=alert(1)></title><script>alert(2)</script>'\`\${7*7}{{7*7}}&copy;`

let app: TestApp
let team: Team
let admin: Person
let examples: Examples

beforeAll(async () => {
  app = await startApp({ adapters: [github], forward: false })
  team = await app.team('acme')
  await app.sql`update teams set name = ${hostile} where id = ${team.id}`
  admin = await signedIn(app, team, 'admin', { name: hostile })
  examples = await examplesFor(app, team, hostile)
  await admin.post('/settings/keys', { name: hostile, 'scopes[]': ['read'] })
})
afterAll(async () => await app.close())

const pages = routes.filter(({ method, role }) => method === 'GET' && role !== null)
const publicPaths = ['/', '/login', '/forgot', '/setup/x', '/reset/x', '/join/x', '/nowhere']

test('every response has the security headers, whatever its status', async () => {
  const paths = [...pages.map((route) => pathOf(route, examples)), ...publicPaths, '/nowhere']
  for (const path of paths) {
    const { headers, status } = await admin.get(path)
    const frame = path.endsWith('/html')
    const policy = headers.get('content-security-policy') ?? ''
    expect(status).toBeLessThan(500)
    expect(policy).toContain(frame ? "default-src 'none'" : "default-src 'self'")
    expect(policy).toContain(frame ? "frame-ancestors 'self'" : "frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'")
    if (frame)
      expect(policy).toMatch(
        /^sandbox (?:allow-same-origin )?allow-popups allow-popups-to-escape-sandbox;/,
      )
    else expect(policy).not.toContain('unsafe')
    expect(policy).toContain(frame ? "form-action 'none'" : "form-action 'self'")
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('x-frame-options')).toBe(frame ? 'SAMEORIGIN' : 'DENY')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('names that look like HTML are shown as text on every page', async () => {
  const seen: string[] = []
  for (const route of pages) {
    const path = pathOf(route, examples)
    if (isFile(route)) continue
    const { html, status } = await admin.get(path)
    if (status !== 200) continue
    expect({ path, live: await liveMarkup(html) }).toEqual({ path, live: [] })
    // An entity in a name stays five letters, in attributes too.
    expect(html).not.toContain('&copy;')
    if (html.includes('&lt;img src=x onerror=alert(1)&gt;')) seen.push(path)
  }
  // The team's name stands on all of them.
  expect(seen.length).toBeGreaterThan(15)
})

test('a flash message is shown once, on the next page and not by a frame, fragment or poll before it', async () => {
  const editor = await signedIn(app, team, 'editor')
  await editor.get('/account')
  const { location } = await editor.post('/account', { name: 'Mira' })
  const path = location ?? ''
  await editor.get(`/newsletters/${examples['newsletters']}/html`)
  await editor.get('/library/newer')
  await editor.get('/welcome', { 'hx-request': 'true' })
  const said = /class="notice success" role="status"/
  expect((await editor.get(path)).html).toMatch(said)
  expect((await editor.get(path)).html).not.toMatch(said)
})

test('every page with its frames and all it loads stays below 100 KB over the wire', async () => {
  const cookie = [...admin.cookies].map((pair) => pair.join('=')).join('; ')
  const sizes = new Map<string, number>()
  const sizeOf = async (path: string): Promise<number> => {
    const headers = { cookie, 'accept-encoding': 'gzip' }
    const response = await fetch(app.base + path, { headers, decompress: false })
    return (await response.bytes()).length
  }
  for (const route of pages.filter((one) => !isFile(one))) {
    const path = pathOf(route, examples)
    const { html } = await admin.get(path)
    const linked = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
      ([, url = '']) => url,
    )
    // The editor loads its other scripts at once; the dialog for images is loaded when it is used.
    const isEditor = linked.some((url) => url.endsWith('/editor.js'))
    const later = isEditor
      ? [...(/id="later-scripts"[^>]*>\[(.*?)\]/.exec(html)?.[1] ?? '').matchAll(/"([^"]+)"/g)]
      : []
    const frames = [...html.matchAll(/<iframe[^>]* src="([^"]+)"/g)].map(([, url = '']) =>
      url.replaceAll('&amp;', '&'),
    )
    const assets = [...linked, ...later.map(([, url = '']) => url), ...frames].filter(
      (url) => !url.endsWith('/editor-image.js'),
    )
    expect({ path, isSmall: html.length < 100_000 }).toEqual({ path, isSmall: true })
    for (const one of [path, ...assets]) if (!sizes.has(one)) sizes.set(one, await sizeOf(one))
    const whole = [path, ...new Set(assets)].reduce((sum, one) => sum + (sizes.get(one) ?? 0), 0)
    // The headers of its responses are added to that.
    expect({ path, fits: whole < 92_000 }).toEqual({ path, fits: true })
  }
})

test('no two scripts of a page declare the same name, which would stop the second one', async () => {
  const names = new Map<string, string[]>()
  const namesIn = async (path: string): Promise<string[]> => {
    const text = await (await fetch(app.base + path)).text()
    const declared = text.matchAll(/^(?:const|let|class|(?:async )?function\*?) (\w+)/gm)
    return [...declared].map(([, name = '']) => name)
  }
  for (const route of pages.filter((one) => !isFile(one))) {
    const path = pathOf(route, examples)
    const { html } = await admin.get(path)
    const scripts = new Set(html.match(/\/assets\/[^"]+\.js(?=")/g))
    for (const one of scripts) if (!names.has(one)) names.set(one, await namesIn(one))
    const all = [...scripts].flatMap((one) => names.get(one) ?? [])
    expect({ path, twice: all.filter((name, at) => all.indexOf(name) !== at) }).toEqual({
      ...{ path, twice: [] },
    })
  }
  expect([...names.values()].flat()).toContain('refreshStep')
})

test('pages without secrets are compressed, and their CSRF tokens have no text in common', async () => {
  const cookie = [...admin.cookies].map((pair) => pair.join('=')).join('; ')
  const editor = `/library/${examples['library']}`
  for (const path of ['/library', '/library/new', '/welcome', '/settings/keys', `${editor}/html`]) {
    const headers = { cookie, 'accept-encoding': 'gzip' }
    const response = await fetch(app.base + path, { headers, decompress: false })
    const encoding = response.headers.get('content-encoding')
    expect({ path, encoding }).toEqual({ path, encoding: 'gzip' })
  }
  const response = await fetch(`${app.base}/settings/members`, { headers: { cookie } })
  expect(response.headers.get('content-encoding')).toBeNull()
  const tokens = await Promise.all(
    [1, 2].map(
      async () => /name="csrf" value="(\w+)"/.exec((await admin.get('/library')).html)?.[1],
    ),
  )
  expect(new Set(tokens).size).toBe(2)
  for (const csrf of tokens) {
    expect((await admin.post('/account', { name: 'Mira', csrf: csrf ?? '' })).status).toBe(303)
  }
})

/** What a browser would run, style or load of what people wrote. */
async function liveMarkup(html: string): Promise<string[]> {
  const found: string[] = []
  const rewriter = new HTMLRewriter().on('*', {
    element({ tagName, attributes }) {
      const names = [...attributes]
      const runs = names.some(([name]) => name.startsWith('on') || name === 'style')
      const foreign = names.some(([name, value]) => name === 'src' && !value.startsWith('/'))
      const isData = names.some(([name, value]) => name === 'type' && value === 'application/json')
      const bare = tagName === 'script' && !isData && !names.some(([name]) => name === 'src')
      if (runs || foreign || bare) found.push(tagName)
    },
  })
  await rewriter.transform(new Response(html)).text()
  return found
}

test('a page with its files is smaller than 100 KB, and browsers keep the files for a year', async () => {
  const { html } = await admin.get('/settings/keys')
  const files = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
  expect(new Set(files).size).toBe(10)
  let bytes = html.length
  for (const path of new Set(files)) {
    const headers = { 'accept-encoding': 'gzip' }
    const response = await fetch(app.base + path, { headers, decompress: false })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    bytes += (await response.arrayBuffer()).byteLength
  }
  expect(bytes).toBeLessThan(100_000)
})

test.each([
  '/assets/console.css',
  '/assets/../package.json',
  '/assets/%2e%2e%2fpackage.json',
  '/assets/..%5c..%5cpackage.json',
  '/assets/%00',
  '/.env',
  '/.git/config',
  '/package.json',
  '/src/main.ts',
  '/node_modules/elysia/package.json',
  '/library/%00',
  '/settings/keys/%00/revoke',
  '/settings/keys/..%2f..%2f/revoke',
  '/LIBRARY',
  '/settings//keys',
  '/settings/audit?before=%00',
])('%s returns 404 and no file of the installation', async (path) => {
  const { status, html } = await admin.get(path)
  expect(status).toBe(404)
  expect(html).not.toContain('"dependencies"')
})

test('the address of every form, opened as a page, leads to the page above it', async () => {
  const methodsOf = methodsIn(routes)
  const forms = routes.filter(({ path }) => !methodsOf(path).includes('GET'))
  for (const { path } of forms) {
    const address = path.replaceAll(/:\w+/g, 'x')
    const { status, location } = await admin.get(address)
    expect([address, status]).toEqual([address, 303])
    if (location !== '/') expect(methodsOf(location ?? '')).toContain('GET')
    expect(address).toStartWith(location ?? '')
  }
  expect(forms.length).toBeGreaterThan(40)
  for (const address of ['/account/password', '/account/password/'])
    expect((await admin.get(address)).location).toBe('/account')
  expect((await admin.get('/account/elsewhere')).status).toBe(404)
})

test('a redirect after an htmx form changes the whole page', async () => {
  const fields = { name: 'Acme', brand_color: '#112233', newsletter_cadence: 'weekly' }
  const { status, headers } = await admin.post('/settings/team', fields, { 'hx-request': 'true' })
  expect([status, headers.get('hx-redirect')]).toEqual([200, '/settings/team'])
})

test('invalid query parameters of a page of the console do not cause an error', async () => {
  for (const before of ["'", '🙂', 'x'.repeat(5000), '%FF', 'au_0']) {
    expect((await admin.get(`/settings/audit?before=${before}`)).status).toBe(200)
  }
})

test('a link for a new password that does not work leads to a new one', async () => {
  const { status, html } = await person(app.base).get('/reset/x')
  expect(status).toBe(404)
  expect(html).toMatch(/href="\/forgot"[^>]*>Request a new link</)
})

test('while the database does not answer, each page says so in the language of the reader and offers to try again', async () => {
  const failing = await startApp()
  const reader = await signedIn(failing, await failing.team(), 'editor')
  await failing.sql.end()
  const german = { 'accept-language': 'de' }
  for (const path of ['/library', '/newsletters?status=draft', '/account', '/submit/acme/x']) {
    const { status, html, headers } = await reader.get(path, german)
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '2'])
    expect(html).toContain('Die Datenbank antwortet zurzeit nicht.')
    expect(html).toContain(`href="${path}"`)
    expect(html).toContain('Noch einmal versuchen')
    expect(html).not.toContain('Idempotency-Key')
  }
  const { html } = await reader.post('/account', { name: 'Mira' }, german)
  expect(html).toMatch(/nichts gespeichert|vielleicht gespeichert/)
  expect(html).not.toContain('Idempotency-Key')
  await failing.close()
})

test('an error page says what happened without the internal cause', async () => {
  const failing = await startApp()
  await failing.sql`alter table accounts rename to hidden`
  const { status, html } = await person(failing.base).get('/?from=email')
  await failing.close()
  expect(status).toBe(500)
  expect(html).toContain('Something went wrong')
  expect(html).toMatch(/request id: \S+/)
  expect(html).toMatch(/href="\/\?from=email"[^>]*>Try again</)
  expect(html).not.toMatch(/accounts|relation|select|postgres/i)
  expect(failing.logLines.join('')).toContain('relation')
})
