import * as v from 'valibot'
import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import type { Texts } from '../../../components/form/text-conflicts.tsx'
import { linesOf, optionsOf } from './poll-answers.ts'
import { htmlOf, typedTextOf } from './typed-text.ts'

export type Element = Newsletter['elements'][number]
const types = ['section', 'divider', 'callout', 'poll'] as const
/** The type of an element; a section for any other text. */
export const ElementTypeField = v.fallback(v.picklist(types), 'section')

const text = v.optional(v.string(), '')
/** The fields of the form of an element. */
export const ElementFormBody = v.object({
  type: ElementTypeField,
  heading: text,
  body: text,
  options: text,
  before: text,
})
type Fields = v.InferOutput<typeof ElementFormBody>

/** The fields that an element of this type has. */
export function elementFieldsOf({ type, heading, body, options }: Fields) {
  if (type === 'section') return { heading }
  if (type === 'divider') return {}
  if (type === 'callout') {
    return { heading: heading.trim() || null, body: body.trim() && htmlOf(body) }
  }
  return { heading, options: optionsOf(options) }
}

/** The texts of an element as they are typed. A heading has one line, so two of them are not joined. */
export const elementTextsOf = ({ type, heading, body, options }: Element): Texts => ({
  ...(type !== 'divider' && { heading: heading ?? '' }),
  ...(type === 'callout' && { body: typedTextOf(body) }),
  ...(type === 'poll' && { options: linesOf(options) }),
})
