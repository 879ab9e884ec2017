import { expect } from 'bun:test'

// biome-ignore lint/suspicious/noExplicitAny: the shape is what is checked
type Loose = any

/**
 * Checks blocks of a message or a view against the limits that Slack publishes.
 * Source: https://docs.slack.dev/reference/block-kit/blocks
 */
export function requireBlockKit(blocks: Loose[], maxBlocks = 50): void {
  expect(blocks.length).toBeGreaterThan(0)
  expect(blocks.length).toBeLessThanOrEqual(maxBlocks)
  const ids = blocks.flatMap(({ block_id }) => block_id ?? [])
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) requireLength(id, 255)
  for (const block of blocks) requireBlock(block)
}

/**
 * Slack refuses messages whose blocks have more text as `msg_blocks_too_long`. It names no number; this is the one that people have found:
 * https://github.com/slackapi/bolt-js/issues/2509
 */
const maxTextCharacters = 13_000

/** Whether Slack accepts the blocks of a message as short enough. */
export const areShortEnough = (blocks: Loose[]): boolean =>
  charactersIn(blocks) <= maxTextCharacters

/** The characters of all texts in blocks, also in those of buttons and their questions. */
function charactersIn(part: Loose): number {
  if (Array.isArray(part)) return part.reduce((sum, one) => sum + charactersIn(one), 0)
  if (typeof part !== 'object' || part === null) return 0
  const own = typeof part.text === 'string' ? part.text.length : 0
  return Object.values(part).reduce<number>((sum, one) => sum + charactersIn(one), own)
}

/**
 * Checks a form or a home against the limits that Slack publishes.
 * Source: https://docs.slack.dev/reference/views
 */
export function requireView(view: Loose): void {
  requireBlockKit(view.blocks, 100)
  for (const name of ['callback_id', 'external_id'])
    if (view[name] !== undefined) requireLength(view[name], 255)
  if (view.private_metadata !== undefined)
    expect(view.private_metadata.length).toBeLessThanOrEqual(3000)
  // Slack refuses larger ones as view_too_large: https://docs.slack.dev/reference/methods/views.publish
  expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThanOrEqual(250_000)
  if (view.type === 'home') return
  expect(view.type).toBe('modal')
  for (const text of [view.title, view.submit, view.close]) requireText(text, 24, ['plain_text'])
}

function requireBlock(block: Loose): void {
  const check = checks[block.type]
  if (!check) throw new Error(`Slack has no block "${block.type}" for messages.`)
  check(block)
}

const checks: Record<string, (block: Loose) => void> = {
  header: ({ text }) => requireText(text, 150, ['plain_text']),
  image: ({ image_url, alt_text }) => {
    requireLength(image_url, 3000)
    requireLength(alt_text, 2000)
  },
  divider: () => {},
  section: ({ text, accessory }) => {
    requireText(text, 3000)
    if (accessory) requireElement(accessory)
  },
  context: ({ elements }) => {
    requireCount(elements, 10)
    for (const text of elements) requireText(text, 3000)
  },
  actions: ({ elements }) => {
    requireCount(elements, 25)
    const ids = elements.map(({ action_id }: Loose) => action_id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const element of elements) requireElement(element)
  },
  input: ({ label, element }) => {
    requireText(label, 2000, ['plain_text'])
    const requireInput = inputs[element.type]
    if (!requireInput) throw new Error(`Slack has no input "${element.type}" that we know.`)
    requireLength(element.action_id, 255)
    if (element.placeholder) requireText(element.placeholder, 150, ['plain_text'])
    requireInput(element)
  },
  rich_text: ({ elements }) => {
    expect(elements.length).toBeGreaterThan(0)
    for (const { type, elements: parts } of elements) {
      expect(['rich_text_section', 'rich_text_list']).toContain(type)
      for (const part of parts) if ('text' in part) expect(part.text).not.toBe('')
    }
  },
}

const inputs: Record<string, (element: Loose) => void> = {
  plain_text_input: ({ max_length = 3000, initial_value }) => {
    expect(max_length).toBeLessThanOrEqual(3000)
    if (initial_value !== undefined) requireLength(initial_value, max_length)
  },
  static_select: ({ options, initial_option }) => {
    requireCount(options, 100)
    for (const { text, value } of options) {
      requireText(text, 75, ['plain_text'])
      requireLength(value, 150)
    }
    if (initial_option) expect(options).toContainEqual(initial_option)
  },
  external_select: ({ min_query_length = 3 }) => {
    expect(min_query_length).toBeGreaterThanOrEqual(0)
  },
}

function requireElement(element: Loose): void {
  expect(element.type).toBe('button')
  requireText(element.text, 75, ['plain_text'])
  requireLength(element.action_id, 255)
  if (element.value !== undefined) requireLength(element.value, 2000)
  if (element.url !== undefined) requireLength(element.url, 3000)
  expect([undefined, 'primary', 'danger']).toContain(element.style)
  if (!element.confirm) return
  requireText(element.confirm.title, 100, ['plain_text'])
  requireText(element.confirm.text, 300)
  requireText(element.confirm.confirm, 30, ['plain_text'])
  requireText(element.confirm.deny, 30, ['plain_text'])
}

function requireText(text: Loose, max: number, types = ['plain_text', 'mrkdwn']): void {
  expect(types).toContain(text.type)
  requireLength(text.text, max)
}

function requireLength(text: string, max: number): void {
  expect(text.length).toBeGreaterThan(0)
  expect(text.length).toBeLessThanOrEqual(max)
}

function requireCount(elements: Loose[], max: number): void {
  expect(elements.length).toBeGreaterThan(0)
  expect(elements.length).toBeLessThanOrEqual(max)
}
