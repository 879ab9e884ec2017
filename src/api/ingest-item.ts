import type { IngestItem } from '../contract/ingest.ts'
import { invalidField } from '../lib/errors.ts'
import type { ApiDeps } from './deps.ts'

const requiredFields = ['title', 'body']

/** An item as a tool sends it, without empty optional fields: `""` means absent there, as null does. */
export function withoutEmptyFields(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  const isKept = ([name, value]: [string, unknown]) => value !== '' || requiredFields.includes(name)
  return Object.fromEntries(Object.entries(item).filter(isKept))
}

/** Does so with a body before it is validated. */
export function dropEmptyFields(context: { body: unknown }): void {
  context.body = withoutEmptyFields(context.body)
}

/** Markdown becomes HTML before it is stored. Throws `validation_failed` when readers would see nothing. */
export function withRenderedBody({ renderMarkdown }: ApiDeps, item: IngestItem): IngestItem {
  if (item.body_format !== 'markdown') return item
  const body = renderMarkdown(item.body)
  if (body === '') throw invalidField('/body', 'body has no content', 'empty')
  return { ...item, body }
}
