import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp } from '../support/app.ts'
import { type Person, signedIn } from '../support/console.ts'
import { blockOf, type Call, newsletterOf, workerOf } from '../support/newsletters.ts'

let app: TestApp
let call: Call
let ada: Person
let grace: Person
beforeAll(async () => {
  app = await startApp()
  const team = await app.team()
  call = await workerOf(app, team)
  ada = await signedIn(app, team, 'editor')
  grace = await signedIn(app, team, 'editor')
})
afterAll(() => app.close())

const newsletter = async (path: string) => (await call('GET', path)).json.newsletter

/** The hidden and visible fields of the form of a page, as a browser would send them. */
async function fieldsOf(person: Person, path: string): Promise<Record<string, string>> {
  return fieldsIn((await person.get(path)).html)
}

function fieldsIn(html: string): Record<string, string> {
  const form = html.slice(html.indexOf('data-draft'))
  const texts = [...form.matchAll(/<textarea id="(\w+)"[^>]*>\n?([^<]*)</g)]
  const inputs = [
    ...form.matchAll(/<input (?:type="hidden" name|id)="([\w[\]]+)"[^>]*? ?value="([^"]*)"/g),
  ]
  const all = [...texts, ...inputs].map(([, name = '', value = '']) => [name, value])
  return Object.fromEntries(all.filter(([name]) => name !== 'csrf'))
}

describe('Two people who edit one newsletter at the same time', () => {
  test('the second one sees both introductions, and keeping both loses no word', async () => {
    const path = await newsletterOf(call, [], { intro: '<p>Hello.</p>' })
    const page = `${path}/frame?part=intro`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    expect(second['original_intro']).toBe('Hello.')
    await ada.post(`${path}/frame`, { ...first, intro: 'Hello from Ada.' })
    const answer = await grace.post(`${path}/frame`, { ...second, intro: 'Hello from Grace.' })
    expect(answer.status).toBe(409)
    expect(answer.html).toContain('Hello from Ada.')
    expect(answer.html).toContain('Hello from Grace.')
    expect((await newsletter(path)).intro).toBe('<p>Hello from Ada.</p>')
    const both = { ...fieldsIn(answer.html), 'conflict[]': 'intro', keep: 'both' }
    expect((await grace.post(`${path}/frame`, both)).status).toBe(303)
    expect((await newsletter(path)).intro).toBe('<p>Hello from Ada.</p><p>Hello from Grace.</p>')
  })

  test('the second one can replace the text of the first after seeing it', async () => {
    const path = await newsletterOf(call, [], { intro: '<p>Hello.</p>' })
    const page = `${path}/frame?part=intro`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    await ada.post(`${path}/frame`, { ...first, intro: 'From Ada.' })
    const { html } = await grace.post(`${path}/frame`, { ...second, intro: 'From Grace.' })
    const { status } = await grace.post(`${path}/frame`, fieldsIn(html))
    expect(status).toBe(303)
    expect((await newsletter(path)).intro).toBe('<p>From Grace.</p>')
  })

  test('changes of different texts are both kept', async () => {
    const path = await newsletterOf(call, [], { intro: '<p>Hello.</p>', closing: '<p>Bye.</p>' })
    const page = `${path}/frame`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    await ada.post(page, { ...first, intro: 'Hello from Ada.' })
    const { status } = await grace.post(page, { ...second, closing: 'Bye from Grace.' })
    expect(status).toBe(303)
    expect(await newsletter(path)).toMatchObject({
      intro: '<p>Hello from Ada.</p>',
      closing: '<p>Bye from Grace.</p>',
    })
  })

  test('a callout that two people change at once shows both texts, and keeps both', async () => {
    const path = await newsletterOf(call, [await blockOf(call)])
    const callout = { type: 'callout', body: '<p>Closed.</p>' }
    const { json } = await call('POST', `${path}/elements`, callout)
    const page = `${path}/elements/${json.element.id}`
    const [first, second] = [await fieldsOf(ada, page), await fieldsOf(grace, page)]
    await ada.post(page, { ...first, body: 'Closed on Friday.' })
    const answer = await grace.post(page, { ...second, body: 'Closed on Monday.' })
    expect(answer.status).toBe(409)
    const both = { ...fieldsIn(answer.html), 'conflict[]': 'body', keep: 'both' }
    expect((await grace.post(page, both)).status).toBe(303)
    const { elements } = await newsletter(path)
    expect(elements.at(-1).body).toBe('<p>Closed on Friday.</p><p>Closed on Monday.</p>')
  })

  test('of introductions that are saved at the same moment, all but one are refused, and none is lost silently', async () => {
    const path = await newsletterOf(call, [], { intro: '<p>Hello.</p>' })
    const fields = await fieldsOf(ada, `${path}/frame?part=intro`)
    const answers = await Promise.all(
      ['one', 'two', 'three', 'four'].map(async (word) => {
        const { status } = await ada.post(`${path}/frame`, { ...fields, intro: `Hello ${word}.` })
        return { word, status }
      }),
    )
    const saved = answers.filter(({ status }) => status === 303)
    expect(saved.length).toBe(1)
    expect(answers.filter(({ status }) => status === 409).length).toBe(3)
    expect((await newsletter(path)).intro).toBe(`<p>Hello ${saved[0]?.word}.</p>`)
  })
})
