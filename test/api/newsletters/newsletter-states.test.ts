import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type NewsletterStatus, newsletterStatuses } from '../../../src/contract/vocabulary.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { blockOf, type Call, newsletterOf, unlimitedClient } from '../../support/newsletters.ts'
import { runs } from '../../support/properties.ts'

let app: TestApp
let call: Call
beforeAll(async () => {
  app = await startApp()
  call = await unlimitedClient(app, await app.team())
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

interface State {
  path: string
  pool: readonly string[]
  shown: Shown
}

interface Step {
  description: string
  /** Applies the step to the model, and returns the status that the API must respond with. */
  apply(model: Model): number
  /** Sends the request of the step. */
  send(state: State): Promise<{ status: number }>
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
  description: `add block ${block} at ${position}`,
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
  description: `remove the block at ${at}`,
  // A block that is not there is reported first, also once the newsletter is sent.
  apply: (model) =>
    model.order[at] === undefined ? 404 : edit(({ order }) => order.splice(at, 1) && 204)(model),
  send: ({ path, shown }) => call('DELETE', `${path}/blocks/${shown.blocks[at]?.id ?? 'nb_none'}`),
})

const reverse: Step = {
  description: 'reverse the order',
  // Reordering fewer than two blocks changes nothing, not even a status that no longer applies.
  apply: (model) =>
    model.status !== 'sent' && model.order.length < 2
      ? 200
      : edit(({ order }) => order.reverse() && 200)(model),
  send: ({ path, shown }) =>
    call('PATCH', `${path}/blocks/reorder`, {
      block_ids: shown.blocks.map(({ id }) => id).toReversed(),
    }),
}

const setSubject = (subject: string | null): Step => ({
  description: `set the subject to ${subject}`,
  apply: edit((model) => {
    model.subject = subject
    return 200
  }),
  send: ({ path }) => call('PATCH', path, { subject_line: subject }),
})

const transitions: Record<NewsletterStatus, NewsletterStatus[]> = {
  draft: ['draft', 'in_progress'],
  in_progress: ['draft', 'in_progress', 'ready'],
  ready: ['in_progress', 'ready', 'sent'],
  sent: [],
}

const setStatus = (to: NewsletterStatus): Step => ({
  description: `make it ${to}`,
  apply: (model) => {
    const needsAll = to === 'ready' || to === 'sent'
    if (!transitions[model.status].includes(to) || (needsAll && !complete(model))) return 409
    model.status = to
    if (to === 'sent') model.used = new Set(model.order)
    return 200
  },
  send: ({ path }) => call('PATCH', path, { status: to }),
})

/** A block that becomes a draft returns its ready newsletter to `in_progress`. */
const setStatusOfBlock = (block: number, to: 'draft' | 'ready'): Step => ({
  description: `make block ${block} ${to}`,
  apply: (model) => {
    if (to === 'draft' && model.used.has(block)) return 409
    model.used.delete(block)
    model.drafts[to === 'draft' ? 'add' : 'delete'](block)
    if (model.status === 'ready' && !complete(model)) model.status = 'in_progress'
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
  { weight: 2, arbitrary: fc.constant(reverse) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(setSubject('Hello'), setSubject('Hello'), setSubject(null)),
  },
  { weight: 4, arbitrary: fc.constantFrom(...newsletterStatuses, 'ready', 'sent').map(setStatus) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(block, fc.constantFrom('draft', 'ready'))
      .map(([b, to]) => setStatusOfBlock(b, to)),
  },
)

const nearlyDone = [setSubject('Hello'), add(0, 1), setStatus('ready')]
const stepsToRun = fc
  .tuple(fc.constantFrom([], nearlyDone), fc.array(step, { minLength: 8, maxLength: 20 }))
  .map(([before, after]) => [...before, ...after])

const read = async (path: string): Promise<Shown> => (await call('GET', path)).json.newsletter

/** What a version identifies: everything that is shown of a newsletter, with its blocks. */
const contentOf = ({ version: _, updated_at: __, ...shown }: Shown) => shown

function requireAgreement({ shown, pool }: State, model: Model): void {
  expect(shown).toMatchObject({ status: model.status, subject_line: model.subject })
  expect(shown.blocks.map(({ position }) => position)).toEqual(shown.blocks.map((_, at) => at + 1))
  const order = model.order.map((at) => pool[at] ?? '')
  expect(shown.blocks.map(({ content_block }) => content_block.id)).toEqual(order)
  expect(shown.blocks_count).toBe(order.length)
}

test('no sequence of operations on newsletters and blocks breaks an invariant of their statuses', async () => {
  const reached = new Set<NewsletterStatus>()
  const property = fc.asyncProperty(stepsToRun, async (steps) => {
    const pool = await Promise.all(Array.from({ length: poolSize }, () => blockOf(call)))
    const path = await newsletterOf(call, [], { subject_line: null })
    const model: Model = {
      status: 'draft',
      subject: null,
      order: [],
      drafts: new Set(),
      used: new Set(),
    }
    let state = { path, pool, shown: await read(path) }
    for (const { description, apply, send } of steps) {
      expect([description, (await send(state)).status]).toEqual([description, apply(model)])
      const after = { ...state, shown: await read(path) }
      requireAgreement(after, model)
      const changed = !Bun.deepEquals(contentOf(state.shown), contentOf(after.shown))
      expect(after.shown.version - state.shown.version).toBe(changed ? 1 : 0)
      reached.add(model.status)
      state = after
    }
  })
  await fc.assert(property, runs(15))
  expect([...reached].toSorted()).toEqual([...newsletterStatuses].toSorted())
})
