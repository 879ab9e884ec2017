import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type NewsletterStatus, newsletterStatuses } from '../../src/contract/vocabulary.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { blockOf, type Call, newsletterOf, workerOf } from '../support/newsletters.ts'
import { runs } from '../support/properties.ts'

let app: TestApp
let call: Call
beforeAll(async () => {
  app = await startApp()
  call = await workerOf(app, await app.team())
})
afterAll(() => app.close())

/** What a newsletter should be, in the words of the contract and not in those of the code. */
interface Model {
  status: NewsletterStatus
  subject: string | null
  /** Which blocks of the pool stand in it, in their order. */
  order: number[]
  /** Which blocks of the pool are drafts, and which were sent. */
  drafts: Set<number>
  used: Set<number>
}

interface Shown {
  status: NewsletterStatus
  subject_line: string | null
  version: number
  updated_at: string
  blocks_count: number
  blocks: { id: string; position: number; content_block: { id: string } }[]
}

interface World {
  path: string
  pool: readonly string[]
  shown: Shown
}

interface Step {
  description: string
  /** Applies the step to the model, and returns the status that the API must respond with. */
  apply(model: Model): number
  /** Sends the request of the step. */
  send(world: World): Promise<{ status: number }>
}

const complete = ({ subject, order, drafts }: Model) =>
  subject !== null && order.length > 0 && !order.some((block) => drafts.has(block))

/** A change of the content of a newsletter: 409 once it is sent; a ready newsletter that becomes incomplete is in progress again. */
const edit = (change: (model: Model) => number) => (model: Model) => {
  if (model.status === 'sent') return 409
  const status = change(model)
  if (status < 300 && model.status === 'ready' && !complete(model)) model.status = 'in_progress'
  return status
}

const add = (block: number, position: number): Step => ({
  description: `put block ${block} at ${position}`,
  apply: edit((model) => {
    if (model.order.includes(block)) return 409
    model.order.splice(position - 1, 0, block)
    if (model.status === 'draft') model.status = 'in_progress'
    return 201
  }),
  send: ({ path, pool }) =>
    call('POST', `${path}/blocks`, { content_block_id: pool[block], position }),
})

const remove = (at: number): Step => ({
  description: `take the block at ${at} out`,
  apply: edit(({ order }) => (order.splice(at, 1).length > 0 ? 204 : 404)),
  send: ({ path, shown }) => call('DELETE', `${path}/blocks/${shown.blocks[at]?.id ?? 'nb_none'}`),
})

const turn: Step = {
  description: 'turn the order round',
  // To reorder fewer than two blocks is no change: not even the status becomes another.
  apply: (model) =>
    model.status !== 'sent' && model.order.length < 2
      ? 200
      : edit(({ order }) => order.reverse() && 200)(model),
  send: ({ path, shown }) =>
    call('PATCH', `${path}/blocks/reorder`, {
      block_ids: shown.blocks.map(({ id }) => id).toReversed(),
    }),
}

const name = (subject: string | null): Step => ({
  description: `name it ${subject}`,
  apply: edit((model) => {
    model.subject = subject
    return 200
  }),
  send: ({ path }) => call('PATCH', path, { subject_line: subject }),
})

const ways: Record<NewsletterStatus, NewsletterStatus[]> = {
  draft: ['draft', 'in_progress'],
  in_progress: ['draft', 'in_progress', 'ready'],
  ready: ['in_progress', 'ready', 'sent'],
  sent: [],
}

const move = (to: NewsletterStatus): Step => ({
  description: `make it ${to}`,
  apply: (model) => {
    const needsAll = to === 'ready' || to === 'sent'
    if (!ways[model.status].includes(to) || (needsAll && !complete(model))) return 409
    model.status = to
    if (to === 'sent') model.used = new Set(model.order)
    return 200
  },
  send: ({ path }) => call('PATCH', path, { status: to }),
})

/** Changes the status of a block, which the newsletter takes into account at its next change. */
const edited = (block: number, to: 'draft' | 'ready'): Step => ({
  description: `make block ${block} ${to}`,
  apply: ({ drafts, used }) => {
    if (to === 'draft' && used.has(block)) return 409
    used.delete(block)
    drafts[to === 'draft' ? 'add' : 'delete'](block)
    return 200
  },
  send: ({ pool }) => call('PATCH', `/content_blocks/${pool[block]}`, { status: to }),
})

const poolSize = 4
const block = fc.nat(poolSize - 1)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(block, fc.integer({ min: 1, max: 6 })).map(([b, at]) => add(b, at)),
  },
  { weight: 2, arbitrary: fc.nat(poolSize).map(remove) },
  { weight: 2, arbitrary: fc.constant(turn) },
  { weight: 2, arbitrary: fc.constantFrom(name('Hello'), name('Hello'), name(null)) },
  { weight: 4, arbitrary: fc.constantFrom(...newsletterStatuses, 'ready', 'sent').map(move) },
  {
    weight: 1,
    arbitrary: fc.tuple(block, fc.constantFrom('draft', 'ready')).map(([b, to]) => edited(b, to)),
  },
)

const nearlyDone = [name('Hello'), add(0, 1), move('ready')]
const story = fc
  .tuple(fc.constantFrom([], nearlyDone), fc.array(step, { minLength: 8, maxLength: 20 }))
  .map(([before, after]) => [...before, ...after])

const read = async (path: string): Promise<Shown> => (await call('GET', path)).json.newsletter

/** What a version stands for: all that a newsletter itself has, and the places in it. */
const essence = ({ version: _, updated_at: __, ...shown }: Shown) => ({
  ...shown,
  blocks: shown.blocks.map(({ id, position }) => ({ id, position })),
})

function requireAgreement({ shown, pool }: World, model: Model): void {
  expect(shown).toMatchObject({ status: model.status, subject_line: model.subject })
  expect(shown.blocks.map(({ position }) => position)).toEqual(shown.blocks.map((_, at) => at + 1))
  const order = model.order.map((at) => pool[at] ?? '')
  expect(shown.blocks.map(({ content_block }) => content_block.id)).toEqual(order)
  expect(shown.blocks_count).toBe(order.length)
}

test('No sequence of operations on newsletters and blocks breaks an invariant of their statuses', async () => {
  const reached = new Set<NewsletterStatus>()
  const property = fc.asyncProperty(story, async (steps) => {
    const pool = await Promise.all(Array.from({ length: poolSize }, () => blockOf(call)))
    const path = await newsletterOf(call, [], { subject_line: null })
    const model: Model = {
      status: 'draft',
      subject: null,
      order: [],
      drafts: new Set(),
      used: new Set(),
    }
    let world = { path, pool, shown: await read(path) }
    for (const { description, apply, send } of steps) {
      expect([description, (await send(world)).status]).toEqual([description, apply(model)])
      const after = { ...world, shown: await read(path) }
      requireAgreement(after, model)
      const changed = !Bun.deepEquals(essence(world.shown), essence(after.shown))
      expect(after.shown.version - world.shown.version).toBe(changed ? 1 : 0)
      reached.add(model.status)
      world = after
    }
  })
  await fc.assert(property, runs(15))
  expect([...reached].toSorted()).toEqual([...newsletterStatuses].toSorted())
})
