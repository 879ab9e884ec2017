import { afterAll, beforeAll, expect, test } from 'bun:test'
import { treaty } from '@elysiajs/eden'
import type { Api } from '../../../src/api/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'

let app: TestApp
let key: string

beforeAll(async () => {
  app = await startApp()
  key = await app.key(await app.team('acme'), ['read', 'write'])
})
afterAll(() => app.close())

const connect = () => treaty<Api>(app.base, { headers: { authorization: `Bearer ${key}` } }).api.v1

test("Eden's typed client creates, lists, changes and deletes a content block", async () => {
  const api = connect()
  const created = await api.content_blocks.post({ title: 'Typed', body: 'By Eden.' })
  if (created.error) throw created.error
  const { id, status } = created.data.content_block
  expect([created.status, status]).toEqual([201, 'draft'])

  const list = await api.content_blocks.get({ query: { status: ['draft', 'ready'], per_page: 5 } })
  expect(list.data?.content_blocks.map((block) => block.id)).toEqual([id])
  expect(list.data?.meta.total).toBe(1)

  const changed = await api.content_blocks({ id }).patch({ status: 'ready' })
  expect(changed.data?.content_block.status).toBe('ready')
  expect((await api.content_blocks({ id }).delete()).status).toBe(204)
})

test("Eden's client gets the problem document of an error, typed", async () => {
  const api = connect()
  const { data, error } = await api.newsletters({ id: 'nl_unknown' }).get()
  expect(data).toBeNull()
  if (error?.status !== 404) throw new Error('The newsletter should not exist.')
  expect(error.value.code).toBe('not_found')
  // @ts-expect-error a body without its required fields does not compile
  expect((await api.content_blocks.post({ title: 'No body' })).status).toBe(422)
})
