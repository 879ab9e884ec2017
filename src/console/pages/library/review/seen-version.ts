import * as v from 'valibot'
import type { ContentBlock } from '../../../../contract/blocks/content-block.ts'

/** The version of a block that a page shows, as one value of a form: `cb_01H….3`. */
export const seenVersion = ({ id, version }: Pick<ContentBlock, 'id' | 'version'>): string =>
  `${id}.${version}`

/** Parses what `seenVersion` returns. */
export const SeenVersion = v.pipe(
  v.string(),
  v.regex(/^\w{1,64}\.\d{1,9}$/, 'must be a block and its version'),
  v.transform((text) => {
    const [id = '', version] = text.split('.')
    return { id, version: Number(version) }
  }),
)
