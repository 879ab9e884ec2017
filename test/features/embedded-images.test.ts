import { afterAll, beforeAll, expect, test } from 'bun:test'
import { simpleParser } from 'mailparser'
import sharp from 'sharp'
import { withEmbeddedImages } from '../../src/features/images/index.ts'
import { smtpTransport } from '../../src/lib/mail.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type Person, signedIn } from '../support/console.ts'
import { blockOf, type Call, newsletterOf, workerOf } from '../support/newsletters.ts'
import { startMailServer } from '../support/smtp.ts'

let app: TestApp
let call: Call
let editor: Person
let image: string
beforeAll(async () => {
  app = await startApp()
  const team = await app.team()
  call = await workerOf(app, team)
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
