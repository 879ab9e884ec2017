import * as v from 'valibot'
import { providerText } from '../text/plain-text.ts'

/** A text, empty when it is missing or not a string. */
export const words = v.fallback(v.optional(providerText, ''), '')

/** Slack accepts 50 blocks and 100 attachments. */
const maxItems = 100

/** The items of a list that have this shape, at most 100; other items are skipped. */
export const listOf = <Schema extends v.GenericSchema>(schema: Schema, max = maxItems) =>
  v.pipe(
    v.unknown(),
    v.transform((list) =>
      (Array.isArray(list) ? list : []).slice(0, max).flatMap((item) => {
        const { success, output } = v.safeParse(schema, item)
        return success ? [output] : []
      }),
    ),
  )
