import * as v from 'valibot'
import { choice } from '../../src/contract/settings.ts'
import { webAddress } from '../../src/contract/text.ts'
import { pollMinutes } from '../kit/polling/settings.ts'

/** The settings of a connection; see the README beside this file. */
export const Settings = v.object({
  /** Browsers show addresses of feeds as `feed:`. */
  url: v.pipe(
    v.string('is required'),
    v.transform((text) =>
      text
        .trim()
        .replace(/^feed:(?:\/\/)?(?!https?:)/i, 'https://')
        .replace(/^feed:/i, ''),
    ),
    webAddress,
  ),
  /** What becomes the text of a block. */
  text: choice(['summary', 'full']),
  every_minutes: pollMinutes(60),
})

export type Settings = v.InferOutput<typeof Settings>
