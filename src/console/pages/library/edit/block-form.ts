import * as v from 'valibot'
import { NewBlock } from '../../../../contract/blocks/input.ts'
import type { Removal } from '../../../../lib/html/removals.ts'
import { laterRichTextScripts, richTextScripts } from '../../../components/form/text-area.tsx'
import type { Flash } from '../../../http/forms/csrf-and-flash.ts'
import { blank } from '../../../http/forms/form-data.ts'
import { ImageForm } from '../../../http/forms/image-form.ts'
import { failure, success } from '../../../http/responses.ts'
import type { Translate } from '../../../locales/index.ts'

const { title, body, block_type, event_slug, image_size, author, source_url, publish_after } =
  NewBlock.entries

/** The value of a `datetime-local` field in UTC. */
const utcDateTime = v.pipe(
  v.optional(v.string(), ''),
  v.transform((text): unknown => {
    if (text.trim() === '') return null
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00Z` : text
  }),
  publish_after,
)

/** The fields of a block as its form sends them. */
export const BlockForm = v.object({
  title,
  body,
  block_type,
  event_slug: blank(event_slug),
  ...ImageForm.entries,
  image_size: blank(image_size),
  author: blank(author),
  source_url: blank(source_url),
  publish_after: utcDateTime,
})

/** The scripts of a page with the editor. */
export const editorScripts = [...richTextScripts, 'image-field.js'] as const

/** Scripts that the editor loads after the page, and the one that it loads on use. */
export const laterEditorScripts = [...laterRichTextScripts, 'editor-image.js'] as const

const maxNames = 5
const maxCharacters = 40

/** The message after a block was saved, with what sanitizing has removed from its new text. */
export function savedFlash(
  t: Translate,
  removals: readonly Removal[],
  message: string,
): { flash: Flash } {
  const removed = new Set(removals.map(({ name }) => name.slice(0, maxCharacters)))
  if (removed.size === 0) return success(message)
  const names = [...removed].slice(0, maxNames).join(', ')
  return failure(t('library.saved_without_parts', { names }))
}
