import { afterAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { connect, eventOf, formBody, signed, startSlack } from '../support/slack.ts'
import { people } from '../support/slack-payloads.ts'

const slack = startSlack(people)
afterAll(() => slack.stop())

const folder = `${import.meta.dir}/../../integrations/slack/fixtures`
const names = readdirSync(folder)
  .filter((file) => !file.endsWith('.expected.json'))
  .map((file) => file.replace('.json', ''))

test('every fixture says what is expected of it', () => {
  expect(names.length).toBeGreaterThan(10)
})

test.each(names)('%s', async (name) => {
  const { headers, body } = await Bun.file(`${folder}/${name}.json`).json()
  const expected = await Bun.file(`${folder}/${name}.expected.json`).json()
  const connection = connect(slack, { workspace_id: 'T0ACME', app_id: 'A0NEWS' })
  const received = await connection.receive(signed(textOf(headers, body), headers))
  const outcome =
    received.kind === 'event' ? await connection.composed(eventOf(received)) : received
  expect(outcome).toMatchObject(expected)
  if (outcome.kind === 'items') expect(outcome).toEqual(expected)
})

function textOf(headers: Record<string, string>, body: object | string): string {
  if (typeof body === 'string') return body
  return headers['content-type']?.startsWith('application/json')
    ? JSON.stringify(body)
    : formBody(body)
}
