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

function requireBlock(block: Loose): void {
  const check = checks[block.type]
  if (!check) throw new Error(`Slack has no block "${block.type}" for messages.`)
  check(block)
}

const checks: Record<string, (block: Loose) => void> = {
  header: ({ text }) => requireText(text, 150, ['plain_text']),
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
    expect(element.type).toBeString()
  },
  rich_text: ({ elements }) => {
    expect(elements.length).toBeGreaterThan(0)
    for (const { type, elements: parts } of elements) {
      expect(['rich_text_section', 'rich_text_list']).toContain(type)
      for (const part of parts) if ('text' in part) expect(part.text).not.toBe('')
    }
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
