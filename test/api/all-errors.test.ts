import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { client, startApp, type TestApp } from '../support/app.ts'
import { newsletterOf, send } from '../support/newsletters.ts'

let app: TestApp
let call: ReturnType<typeof client>
beforeAll(async () => {
  app = await startApp()
  call = client(app.base, await app.key(await app.team(), ['read', 'write', 'send_preview']))
})
afterAll(() => app.close())

const pointers = ({ json }: { json: { fields: { pointer: string }[] } }) =>
  json.fields.map(({ pointer }) => pointer).toSorted()

const noText = '<script>1</script>'

describe('all errors in one response', () => {
  test('one response reports all errors of a newsletter, whether its schema or the database finds them', async () => {
    const wrong = { title: '', template_slug: 'unknown', intro: noText, closing: noText, typo: 1 }
    const expected = ['/closing', '/intro', '/template_slug', '/title', '/typo']
    const refused = await call('POST', '/newsletters', wrong)
    expect(pointers(refused)).toEqual(expected)
    expect(refused.json.errors).toHaveLength(expected.length)
    expect(refused.json.detail).toContain('template_slug "unknown" is not a template of this team')
    const { json } = await call('POST', '/newsletters', { title: 't' })
    const path = `/newsletters/${json.newsletter.id}`
    expect(pointers(await call('PATCH', path, wrong))).toEqual(expected)
    const { title: _, typo: __, ...semantic } = wrong
    expect(pointers(await call('PATCH', path, semantic))).toEqual([
      ...['/closing', '/intro', '/template_slug'],
    ])
  })

  test('an error of the state of a newsletter reports no errors of fields', async () => {
    const { json } = await call('POST', '/content_blocks', { title: 't', body: 'b' })
    const path = `/content_blocks/${json.content_block.id}`
    const stale = await call('PATCH', path, { body: noText }, { 'if-match': '"v7"' })
    expect(stale.json).toMatchObject({ code: 'version_mismatch' })
    expect(stale.json.fields).toBeUndefined()
    const header = await call('PATCH', path, { body: noText }, { 'if-match': 'v1' })
    expect(pointers(header)).toEqual(['If-Match'])
    const unknown = await call('PATCH', '/content_blocks/cb_unknown', { body: noText })
    expect(unknown.json).toMatchObject({ code: 'not_found' })
    expect(unknown.json.fields).toBeUndefined()
  })

  test('one response reports all errors of addresses, and says what to correct', async () => {
    const item = {
      title: 't',
      body: 'b',
      source_url: 'https://ada:secret@a.example',
      image_url: 'a',
    }
    for (const path of ['/content_blocks', '/webhooks/ingest']) {
      const { json } = await call('POST', path, item)
      expect(json.errors.toSorted()).toEqual([
        'image_url must be an http or https address',
        'source_url must not contain a user name or password',
      ])
    }
  })

  test('one response reports all errors of content blocks and items', async () => {
    const wrong = { title: '', body: noText }
    const expected = ['/body', '/title']
    expect(pointers(await call('POST', '/content_blocks', wrong))).toEqual(expected)
    expect(pointers(await call('POST', '/webhooks/ingest', wrong))).toEqual(expected)
    const bulk = await call('POST', '/webhooks/ingest/bulk', { items: [wrong] })
    const [{ problem }] = bulk.json.results
    expect(pointers({ json: problem })).toEqual(['/items/0/body', '/items/0/title'])
    const { json } = await call('POST', '/content_blocks', { title: 't', body: 'b' })
    const path = `/content_blocks/${json.content_block.id}`
    expect(pointers(await call('PATCH', path, wrong))).toEqual(expected)
  })

  test('one response reports all errors of elements', async () => {
    const { json } = await call('POST', '/newsletters', { title: 't' })
    const path = `/newsletters/${json.newsletter.id}/elements`
    const wrong = { type: 'callout', heading: 7, body: noText }
    expect(pointers(await call('POST', path, wrong))).toEqual(['/body', '/heading'])
    const divider = await call('POST', path, { type: 'divider' })
    const changed = await call('PATCH', `${path}/${divider.json.element.id}`, {
      body: 'Text.',
      before_position: 0,
    })
    expect(pointers(changed)).toEqual(['/before_position', '/body'])
  })

  test('one response reports all errors of events, templates and previews', async () => {
    const event = { slug: 'party', name: 'P', event_date: '2027-06-18', category: 'corporate' }
    await call('POST', '/events', event)
    expect(pointers(await call('POST', '/events', { ...event, name: '' }))).toEqual([
      ...['/name', '/slug'],
    ])
    const sections = [{ title: 'News', block_types: ['general'] }]
    const template = { slug: 'ours', name: 'Ours', description: 'd', sections }
    await call('POST', '/templates', template)
    const dark = { style: { background_color: '#111111', width: 1 } }
    const expected = ['/style/background_color', '/style/width']
    expect(pointers(await call('POST', '/templates', { ...template, ...dark }))).toEqual([
      ...['/slug', ...expected],
    ])
    expect(pointers(await call('PATCH', '/templates/ours', dark))).toEqual(expected)
    const { json } = await call('POST', '/newsletters', { title: 't' })
    const path = `/newsletters/${json.newsletter.id}/send_preview`
    const preview = { recipients: ['stranger@example.com'], note: 7 }
    expect(pointers(await call('POST', path, preview))).toEqual(['/note', '/recipients'])
  })
})

describe('An empty text', () => {
  test('an empty text in an optional field means null', async () => {
    const fields = {
      subject_line: '',
      preheader_text: ' ',
      scheduled_date: '',
      cover_image_url: '',
      cover_color: '',
      intro: '',
      closing: '',
    }
    const { status, json } = await call('POST', '/newsletters', { title: 't', ...fields })
    expect(status).toBe(201)
    const nulls = Object.fromEntries(Object.keys(fields).map((name) => [name, null]))
    expect(json.newsletter).toMatchObject(nulls)
    const path = `/newsletters/${json.newsletter.id}`
    await call('PATCH', path, { subject_line: 'S', intro: 'Hello' })
    expect((await call('PATCH', path, fields)).json.newsletter).toMatchObject(nulls)
    const block = await call('POST', '/content_blocks', {
      title: 't',
      body: 'b',
      event_slug: '',
      image_url: '',
      image_size: '',
      publish_after: '',
      image_alt: '',
    })
    expect(block.json.content_block).toMatchObject({
      event_slug: null,
      image_url: null,
      image_size: null,
      publish_after: null,
    })
  })

  test('an empty text in a field that cannot be empty is named as such, and as missing only where it is required', async () => {
    const { json } = await call('POST', '/newsletters', { title: '', template_slug: '' })
    expect(json.errors.toSorted()).toEqual(['template_slug must not be empty', 'title is required'])
    const words = await call('PATCH', '/team', { words_to_avoid: ['fine', ' '], name: '' })
    expect(words.json.errors.toSorted()).toEqual([
      'name must not be empty',
      'words_to_avoid.1 must not be empty',
    ])
  })
})

describe('background colors of templates', () => {
  const sections = [{ title: 'News', block_types: ['general'] }]
  const template = { name: 'Ours', description: 'd', sections }

  test('a background color is refused when text on it cannot be read', async () => {
    const { json } = await call('POST', '/templates', {
      ...template,
      slug: 'dark',
      style: { background_color: '#222222' },
    })
    expect(json.errors).toEqual([
      expect.stringMatching(
        /^style.background_color must be lighter: text on #222222 has a contrast/,
      ),
    ])
    expect((await call('GET', '/templates/dark')).status).toBe(404)
  })

  test('a background color can be light, and null', async () => {
    await call('POST', '/templates', {
      ...template,
      slug: 'light',
      style: { background_color: '#f4f5f7' },
    })
    const change = (color: string | null) =>
      call('PATCH', '/templates/light', { style: { background_color: color } })
    expect((await change('#ffeeee')).json.template.style.background_color).toBe('#ffeeee')
    expect((await change('#808080')).status).toBe(422)
    expect((await change(null)).json.template.style.background_color).toBeNull()
  })
})

describe('another layout of a template', () => {
  test('a change of the layout is refused when the text of the new one cannot be read on the background color of the template', async () => {
    await call('POST', '/templates', {
      slug: 'gray',
      name: 'Gray',
      description: 'd',
      sections: [{ title: 'News', block_types: ['general'] }],
      style: { background_color: '#aaaaaa' },
    })
    const change = (body: object) => call('PATCH', '/templates/gray', body)
    const message = 'style.background_color must be lighter: text on #aaaaaa has a contrast of 6.8'
    const { json } = await change({ base: 'digest' })
    expect(json.errors).toEqual([expect.stringContaining(message)])
    expect((await change({ base: 'digest', name: '' })).json.errors).toHaveLength(2)
    expect((await call('GET', '/templates/gray')).json.template.base).toBe('clean')
    expect((await change({ base: 'bold', name: 'Bold' })).status).toBe(200)
    const style = { background_color: '#f4f5f7' }
    expect((await change({ base: 'digest', style })).json.template).toMatchObject({
      base: 'digest',
      style,
    })
  })
})

describe('keys that may not make blocks ready', () => {
  test('a key that may not make blocks ready changes drafts only: a block that a person has reviewed becomes a draft or stays as it is', async () => {
    const team = await app.team()
    const full = client(app.base, await app.key(team, ['read', 'write']))
    const narrow = client(app.base, await app.key(team, ['write'], { allow_auto_ready: false }))
    const made = await full('POST', '/content_blocks', { title: 't', body: 'b', status: 'ready' })
    const path = `/content_blocks/${made.json.content_block.id}`
    const refused = await narrow('PATCH', path, { body: 'Not reviewed' })
    expect(refused.json).toMatchObject({
      status: 403,
      code: 'insufficient_scope',
      required_scope: 'write',
      required_option: 'allow_auto_ready',
      detail: expect.stringContaining('Send status "draft" with the change.'),
    })
    expect((await full('GET', path)).json).toEqual(made.json)
    expect((await narrow('PATCH', path, { title: 't' })).status).toBe(200)
    const drafted = await narrow('PATCH', path, { body: 'Not reviewed', status: 'draft' })
    expect(drafted.json.content_block).toMatchObject({ body: 'Not reviewed', status: 'draft' })
    expect((await narrow('PATCH', path, { body: 'Again' })).status).toBe(200)
    expect((await narrow('PATCH', path, { status: 'ready' })).status).toBe(403)
    await full('PATCH', path, { status: 'ready' })
    await send(full, await newsletterOf(full, [made.json.content_block.id]))
    expect((await narrow('PATCH', path, { body: 'After it was sent' })).json.detail).toContain(
      'the block was sent',
    )
  })
})

describe('the address of “Share your news”', () => {
  test('the address of “Share your news” may be mailto: with a subject and a body, and with no further recipient', async () => {
    const share = async (share_url: string) => await call('PATCH', '/team', { share_url })
    for (const address of [
      'mailto:news@example.com?subject=My%20news',
      'mailto:news@example.com?subject=News&body=Hello',
      'https://forms.example.com/news?a=b',
    ]) {
      expect((await share(address)).json.team.share_url).toBe(address)
    }
    for (const address of [
      'mailto:a@example.com?bcc=b@example.com',
      'mailto:a@example.com?subject=x&cc=b@example.com',
      'mailto:a@example.com,b@example.com',
      'mailto:?subject=x',
      'mailto:a@example.com?subject=x?to=b@example.com',
    ]) {
      expect((await share(address)).status).toBe(422)
    }
  })
})
