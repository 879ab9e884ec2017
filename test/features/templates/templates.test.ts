import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import type { Template } from '../../../src/contract/newsletters/template.ts'
import {
  type RenderableBlock,
  type RenderableNewsletter,
  renderNewsletter,
} from '../../../src/features/newsletters/index.ts'
import { getTemplate } from '../../../src/features/templates/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { createDatabase } from '../../support/database/database.ts'
import { hostileTexts } from '../../support/hostile/hostile-texts.ts'
import { runs, sample } from '../../support/properties.ts'
import {
  composedNewsletter,
  realisticNewsletter,
  sampleBlock,
  sampleNewsletter,
} from '../../support/sample-newsletter.ts'
import { teamNewsletters } from '../../support/team-newsletters/index.ts'

const slugs = ['clean', 'bold', 'digest'] as const
const brands = [
  '#8b5cf6',
  '#ffd400',
  '#0b1f3a',
  '#ff5a5f',
  '#7f7f7f',
  '#ffffff',
  '#000000',
  '#00e5a0',
]

let templates: Record<string, Template>
let browser: Browser
let page: Page
beforeAll(async () => {
  const database = await createDatabase()
  const ctx = systemContext({ sql: database.sql, now: systemClock }, 'team_x')
  const found = await Promise.all(slugs.map((slug) => getTemplate(ctx, slug)))
  templates = Object.fromEntries(found.map((template) => [template.slug, template]))
  await database.drop()
  browser = await openBrowser()
  page = await browser.newPage()
})
afterAll(() => browser.close())

const template = (slug: string) => {
  const found = templates[slug]
  if (!found) throw new Error(`no template ${slug}`)
  return found
}
const render = (slug: string, newsletter: RenderableNewsletter) =>
  renderNewsletter(template(slug), newsletter)

/** Opens an email as a reader does, with scripts on. Returns the addresses that it requests. */
async function open(html: string): Promise<string[]> {
  const asked: string[] = []
  await page.route('**/*', (route) => {
    asked.push(route.request().url())
    return route.abort()
  })
  await page.setContent(html, { waitUntil: 'load' })
  await page.addScriptTag({ path: `${import.meta.dir}/../../support/providers/mail-checks.js` })
  await page.unroute('**/*')
  return asked
}

const shapeOf = (html: string) => page.evaluate<string>(`mailChecks.shape(${JSON.stringify(html)})`)

/** The texts of the open email that are hard to read, by the color scheme of the reader. */
async function faintTexts() {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await page.evaluate<string[]>('mailChecks.faintTexts()')
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await page.evaluate<string[]>('mailChecks.faintTexts()')
  await page.emulateMedia({ colorScheme: 'light' })
  return { light, dark }
}

describe.each(slugs.map((slug, turn) => [slug, turn] as const))('%s', (slug, turn) => {
  test(`the ${slug} template has headings, images with alternative text and one language`, async () => {
    const { html, text, bytes } = render(slug, realisticNewsletter)
    expect(bytes).toBe(Buffer.byteLength(html))
    expect(bytes).toBeLessThan(102 * 1024)
    const asked = await open(html)
    for (const { title } of realisticNewsletter.blocks) {
      expect(await page.locator('h3', { hasText: title }).count()).toBe(1)
      expect(text).toContain(title)
    }
    expect(await page.locator('h1').allInnerTexts()).toEqual(['Harbour notes'])
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expect(await page.title()).toBe('What November brought')
    expect(await page.locator('meta[name=color-scheme]').getAttribute('content')).toBe('light dark')
    expect(await page.locator('img:not([alt]), img[alt=""]').count()).toBe(0)
    // Tables outside of what people wrote are layout, and say so to a screen reader.
    const layout = 'table:not([role=presentation]):not(.prose table)'
    expect(await page.locator(layout).count()).toBe(0)
    // Outlook's own tables stand in comments.
    expect(html).toMatch(/<!--\[if mso \| IE\]><table/)
    expect([...new Set(asked.map((url) => new URL(url).hostname))]).toEqual([
      'pictures.lantern.example',
    ])
  })

  test(`the ${slug} template shows the preheader in the list of emails only`, async () => {
    const { html } = render(slug, realisticNewsletter)
    await open(html)
    const preheader = page.getByText('Two releases, five new colleagues').first()
    expect(await preheader.count()).toBe(1)
    expect(await preheader.isVisible()).toBe(false)
    const none = render(slug, { ...realisticNewsletter, preheader_text: null })
    expect(none.html).not.toContain('display:none')
  })

  test(`the ${slug} template fits phones and desktops without horizontal scrolling`, async () => {
    for (const newsletter of [realisticNewsletter, composedNewsletter]) {
      await open(render(slug, newsletter).html)
      for (const width of [320, 360, 600, 1000]) {
        await page.setViewportSize({ width, height: 800 })
        const scroll = await page.evaluate<number>('document.documentElement.scrollWidth')
        expect({ width, scroll }).toEqual({ width, scroll: width })
      }
    }
  })

  test(`the ${slug} template shows newsletters of twelve teams, in light and dark mode, without horizontal scrolling or faint text`, async () => {
    for (const [name, newsletter] of sample(Object.entries(teamNewsletters), 3, turn)) {
      const { html, bytes } = render(slug, newsletter)
      await open(html)
      const widths = []
      for (const width of [360, 600]) {
        await page.setViewportSize({ width, height: 800 })
        widths.push(await page.evaluate<number>('document.documentElement.scrollWidth'))
      }
      expect({ name, widths, faint: await faintTexts() }).toEqual({
        name,
        widths: [360, 600],
        faint: { light: [], dark: [] },
      })
      expect({ name, tooLong: bytes > 102 * 1024 }).toEqual({ name, tooLong: false })
    }
  })

  test(`the ${slug} template is 600 pixels wide in Outlook`, async () => {
    for (const newsletter of [realisticNewsletter, composedNewsletter]) {
      const { html } = render(slug, newsletter)
      const asOutlook = html.replaceAll(/<!--\[if mso[^\]]*\]>(.*?)<!\[endif\]-->/gs, '$1')
      expect(asOutlook).not.toBe(html)
      await page.setViewportSize({ width: 600, height: 800 })
      await open(asOutlook)
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(600)
    }
  })

  test(`the ${slug} template is readable in light and dark mode with every brand color`, async () => {
    const newsletters = [realisticNewsletter, composedNewsletter]
    for (const [at, brand_color] of brands.entries()) {
      for (const newsletter of sample(newsletters, newsletters.length, turn + at)) {
        const team = { ...newsletter.team, brand_color }
        const cover = { image_url: null, image_alt: null, color: brand_color }
        await open(render(slug, { ...newsletter, team, cover }).html)
        const faint = await faintTexts()
        expect({ brand_color, faint }).toEqual({ brand_color, faint: { light: [], dark: [] } })
      }
    }
  })

  test(`hostile content does not change the structure of the ${slug} template`, async () => {
    await open('<p>')
    const harmless = await shapeOf(render(slug, newsletterAround({ body: 'x', words: 'x' })).html)
    for (const hostile of sample(hostileTexts, 3, turn)) {
      for (const body_format of ['html', 'text'] as const) {
        const { html } = render(
          slug,
          newsletterAround({ body: hostile, words: hostile, body_format }),
        )
        expect({ hostile, shape: await shapeOf(html) }).toEqual({ hostile, shape: harmless })
      }
    }
  })

  test(`no combination of tags changes the structure of the ${slug} template`, async () => {
    await open('<p>')
    const harmless = await shapeOf(render(slug, newsletterAround({ body: 'x', words: 'x' })).html)
    const names = ['table', 'tbody', 'tr', 'td', 'th', 'caption', 'div', 'p', 'a', 'b', 'li', 'h2']
    const tag = fc.tuple(fc.constantFrom('<', '</'), fc.constantFrom(...names))
    const tangle = fc.array(
      tag.map(([start, name]) => `${start}${name}>x`),
      { maxLength: 30 },
    )
    const property = fc.asyncProperty(tangle, async (tags) => {
      const { html } = render(slug, newsletterAround({ body: tags.join(''), words: 'x' }))
      expect(await shapeOf(html)).toBe(harmless)
    })
    await fc.assert(property, runs(30))
  })

  test(`the ${slug} template runs no script and loads no file that hostile content refers to`, async () => {
    const blocks = hostileTexts.flatMap((words) => [
      hostileBlock(words, words, 'html'),
      hostileBlock(words, words, 'text'),
    ])
    const asked = await open(
      render(slug, sampleNewsletter(blocks, hostileFrame(hostileTexts.join(' ')))).html,
    )
    expect(await page.evaluate<boolean>('"pwned" in globalThis')).toBe(false)
    expect(asked.filter((url) => !url.startsWith('https://'))).toEqual([])
    const live =
      'script, iframe, object, embed, form, input, base, svg, [onerror], [onload], [onclick]'
    expect(await page.locator(`body :is(${live})`).count()).toBe(0)
    expect(await page.locator('[href^="javascript:" i], [src^="data:" i]').count()).toBe(0)
    // The layout's own styles stand in the head.
    expect(await page.locator('body style, body link, body meta').count()).toBe(0)
  })

  test(`the ${slug} template shows placeholders in content as text`, async () => {
    const literal =
      '{{1337*1337}} #{1337*1337} <%= 1337*1337 %> [[team]] @@0@@ <!-- each blocks -->'
    const { html, text } = render(
      slug,
      newsletterAround({ body: literal, words: literal, body_format: 'text' }),
    )
    await open(html)
    const shown = await page.locator('body').textContent()
    for (const words of [shown, text]) {
      // Title, team, block and body at the least.
      expect(words?.split(literal).length).toBeGreaterThan(4)
      expect(words).not.toContain('1787569')
    }
  })

  test(`the ${slug} template fits images into their sizes and loads them over https only`, async () => {
    const blocks = (['small', 'medium', 'full_width', null] as const).map((image_size) =>
      sampleBlock({
        title: `${image_size}`,
        image_url: `https://a.example/${image_size}`,
        image_size,
      }),
    )
    const inBody =
      '<img src="https://a.example/body" width="4000"><img src="http://a.example/plain">'
    const insecure = sampleBlock({ body: inBody, image_url: 'http://a.example/insecure' })
    await open(render(slug, sampleNewsletter([...blocks, insecure])).html)
    const pictures = await page.locator('img').all()
    const widths = await Promise.all(
      pictures.map(async (picture) => [
        `${await picture.getAttribute('alt')} ${await picture.getAttribute('src')}`,
        Number(await picture.getAttribute('width')),
      ]),
    )
    const widest = Object.fromEntries(widths)
    expect(Object.keys(widest)).toEqual([
      'small https://a.example/small',
      'medium https://a.example/medium',
      'full_width https://a.example/full_width',
      'null https://a.example/null',
      'Search is twice as fast https://a.example/body',
    ])
    const [small = 0, medium = 0, full = 0, unsaid = 0, body = 0] = Object.values(widest)
    expect(small).toBeWithin(120, 161)
    expect(medium).toBe(320)
    expect(full).toBeWithin(520, 601)
    expect(unsaid).toBe(full)
    expect(body).toBeWithin(500, 601)
  })

  test(`the ${slug} template is right to left for a right-to-left language or block`, async () => {
    const arabic = sampleBlock({ title: 'مرحبا', body: '<ul><li>أهلا</li></ul>' })
    await open(render(slug, sampleNewsletter([arabic, sampleBlock()], { lang: 'ar' })).html)
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
    expect(await page.locator('h3').first().getAttribute('dir')).toBe('rtl')
    expect(await page.locator('h3').last().getAttribute('dir')).toBe('ltr')
    expect(await page.locator('.prose').first().getAttribute('style')).toContain('right')
  })
})

/** A hostile block between two harmless ones, in a newsletter that is hostile itself. */
function newsletterAround({
  body,
  words,
  body_format = 'html',
}: {
  body: string
  words: string
  body_format?: 'html' | 'text'
}): RenderableNewsletter {
  const blocks = [sampleBlock(), hostileBlock(body, words, body_format), sampleBlock()]
  return sampleNewsletter(blocks, hostileFrame(words))
}

const hostileBlock = (body: string, words: string, body_format: 'html' | 'text'): RenderableBlock =>
  sampleBlock({
    title: `Title ${words}`,
    body,
    body_format,
    author: words,
    source_url: `https://a.example/?${words}`,
    image_url: `https://a.example/?${words}`,
    image_size: 'small',
  })

const hostileFrame = (words: string): Partial<RenderableNewsletter> => ({
  title: `Title ${words}`,
  subject_line: words,
  preheader_text: words,
  team: {
    name: words,
    brand_color: words,
    contact: `Contact ${words}`,
    share_url: `https://a.example/?${words}`,
    logo: { url: `https://a.example/?${words}`, alt: words, width: 1, height: 1 },
  },
  cover: { image_url: `https://a.example/?${words}`, image_alt: words, color: words },
  intro: `<p>x</p>${words}`,
  closing: `<p>x</p>${words}`,
  archive_url: `https://a.example/?${words}`,
  table_of_contents: true,
  lang: words,
  date: words,
})
