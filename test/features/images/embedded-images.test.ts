import { afterAll, beforeAll, expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import sharp from 'sharp'
import { withEmbeddedImages } from '../../../src/features/images/index.ts'
import { smtpTransport } from '../../../src/lib/mail/mail.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { type Person, signedIn } from '../../support/console.ts'
import { blockOf, type Call, newsletterOf, unlimitedClient } from '../../support/newsletters.ts'
import { startMailServer } from '../../support/providers/smtp.ts'

let app: TestApp
let call: Call
let editor: Person
let image: string
beforeAll(async () => {
  app = await startApp()
  const team = await app.team()
  call = await unlimitedClient(app, team)
  editor = await signedIn(app, team, 'editor')
  const create = { width: 60, height: 40, channels: 3 as const, background: '#0f766e' }
  const png = await sharp({ create }).png().toBuffer()
  const uri = `data:image/png;base64,${png.toString('base64')}`
  image = (await call('POST', '/images', { image: uri, alt: 'A green box' })).json.image.url
})
afterAll(async () => await app.close())

const newsletterWithImage = async () => {
  const content_block_id = await blockOf(call, { image_url: image, body: 'With a picture.' })
  return await newsletterOf(call, [content_block_id])
}

test('a downloaded email contains its images where readers cannot reach the service', async () => {
  const path = await newsletterWithImage()
  const { html: raw } = await editor.get(`${path}/eml`)
  const parsed = await simpleParser(raw, { skipImageLinks: true })
  const [attachment] = parsed.attachments
  expect(attachment).toMatchObject({ contentType: 'image/png', contentDisposition: 'inline' })
  expect(parsed.html).toContain(`src="cid:${attachment?.cid}"`)
  expect(parsed.html).not.toContain(image)
})

test('an email that is sent contains its images, and images of other websites stay links', async () => {
  const server = await startMailServer()
  const from = { name: 'Tidings', address: 'news@acme.example' }
  const mail = withEmbeddedImages(smtpTransport(server.url, from), app.images)
  const other = 'https://a.example/i.png'
  const missing = `${app.images.baseUrl}/media/${'0'.repeat(64)}.png`
  await mail.send({
    id: 'ml_1',
    teamId: null,
    recipient: 'ada@acme.example',
    subject: 'x',
    text: 'x',
    html: `<img src="${image}"><img src="${image}"><img src="${other}"><img src="${missing}">`,
  })
  await server.close()
  const [received] = server.mails
  expect(received?.attachments).toHaveLength(1)
  expect(received?.html).toContain(other)
  expect(received?.raw).toContain('multipart/related')
})

test('an email contains images up to 10 MB in total, and the others stay links', async () => {
  const read = async () => new Uint8Array(4 * 1024 * 1024)
  const images = { ...app.images, storage: { ...app.images.storage, read } }
  const addresses = ['a', 'b', 'c'].map(
    (digit) => `${images.baseUrl}/media/${digit.repeat(64)}.png`,
  )
  const sent: { html: string; images?: readonly unknown[] }[] = []
  const transport = { send: (mail: (typeof sent)[number]) => Promise.resolve(void sent.push(mail)) }
  const html = addresses.map((address) => `<img src="${address}">`).join('')
  const mail = { id: 'ml_1', teamId: null, recipient: 'a@b.example', subject: '', text: '', html }
  await withEmbeddedImages(transport, images).send(mail)
  expect(sent[0]?.images).toHaveLength(2)
  expect(addresses.filter((address) => sent[0]?.html.includes(address))).toEqual([
    expect.stringContaining('ccc'),
  ])
})

test('an https address of the internet is not embedded', async () => {
  const sent: { html: string; images?: readonly unknown[] }[] = []
  const images = { ...app.images, baseUrl: 'https://news.acme.com' }
  const transport = { send: (mail: (typeof sent)[number]) => Promise.resolve(void sent.push(mail)) }
  const html = `<img src="${image.replace(app.images.baseUrl, images.baseUrl)}">`
  const mail = { id: 'ml_1', teamId: null, recipient: 'a@b.example', subject: '', text: '', html }
  await withEmbeddedImages(transport, images).send(mail)
  expect(sent[0]).toMatchObject({ html, images: [] })
})

test('the HTML to copy and to download has its images as data where the service is not reached', async () => {
  const path = await newsletterWithImage()
  for (const where of [`${path}/html?copy`, `${path}/html?file`]) {
    const { html } = await editor.get(where)
    expect(html).toContain('src="data:image/png;base64,')
    expect(html).not.toContain(image)
  }
})

test('crops, the cover and the logo are in copied HTML and in downloaded emails too', async () => {
  const logo = await sharp({ create: { width: 90, height: 20, channels: 3, background: '#222' } })
    .png()
    .toBuffer()
  const uri = `data:image/png;base64,${logo.toString('base64')}`
  const { url: logo_url } = (await call('POST', '/images', { image: uri })).json.image
  expect((await call('PATCH', '/team', { logo_url })).status).toBe(200)
  const small = { image_url: image, image_size: 'small', image_focal_x: 1, image_focal_y: 0 }
  const path = await newsletterOf(call, [await blockOf(call, small)])
  await call('PATCH', path, { cover_image_url: image, cover_focal_y: 0 })
  const { html } = await editor.get(`${path}/html?copy`)
  expect(html).not.toContain('/media/')
  const { html: raw } = await editor.get(`${path}/eml`)
  const { attachments } = await simpleParser(raw, { skipImageLinks: true })
  const names = attachments.map(({ cid }) => cid?.replace(/^[0-9a-f]{64}/, ''))
  const wanted = ['.png@tidings', '.square-40.png@tidings', '.wide-20.png@tidings']
  expect(names.toSorted()).toEqual(wanted)
})

test('a downloaded email is read alike by two parsers: its texts, its charset and every image in its place', async () => {
  const title = 'Ines begrüßt 東京 🎉 — “Überblick”'
  const body =
    '<p>Grüße aus <b>Łódź</b>, siehe <a href="https://a.example/?a=1&amp;b=ü">hier</a>.</p>'
  const small = { image_url: image, image_alt: 'Ein Kran', image_size: 'small' }
  const path = await newsletterOf(call, [await blockOf(call, { ...small, title, body })])
  await call('PATCH', path, {
    subject_line: title,
    cover_image_url: image,
    cover_image_alt: 'Hafen',
  })
  const { html: raw } = await editor.get(`${path}/eml`)
  const one = await simpleParser(raw, { skipImageLinks: true })
  const two = await PostalMime.parse(raw)

  const sameLines = (text = '') => text.replace(/\r\n/g, '\n').trimEnd()
  const identifiers = (cids: readonly (string | undefined)[]) =>
    cids.map((cid) => cid?.replace(/^<|>$/g, '')).toSorted()
  expect(one.subject).toBe(title)
  expect(two.subject).toBe(title)
  expect(sameLines(two.text)).toBe(sameLines(one.text))
  expect(sameLines(two.html)).toBe(sameLines(one.html || ''))

  const html = one.html || ''
  const shown = [...html.matchAll(/src="cid:([^"]+)"/g)].map(([, cid]) => cid)
  expect(html).toContain('Łódź')
  expect(html).not.toMatch(/src="(?!cid:)/)
  for (const cids of [
    one.attachments.map(({ cid }) => cid),
    two.attachments.map(({ contentId }) => contentId),
  ])
    expect(identifiers(cids)).toEqual(identifiers([...new Set(shown)]))
  for (const { mimeType, disposition } of two.attachments)
    expect([mimeType, disposition]).toEqual(['image/png', 'inline'])

  // People who read plain text get sentences and whole addresses, and no markup.
  expect(one.text).toContain('Grüße aus Łódź, siehe hier')
  expect(one.text).toMatch(/https:\/\/a\.example\/\?a=1&b=/)
  expect(one.text).not.toMatch(/<[a-z/]|&[a-z]+;|cid:/)
  expect(raw).toMatch(/^Content-Type: multipart\/alternative/m)
  const order = [...raw.matchAll(/^Content-Type: ([\w/]+)/gm)].map(([, type]) => type)
  expect(order.slice(0, 4)).toEqual([
    'multipart/alternative',
    'text/plain',
    'multipart/related',
    'text/html',
  ])
})
