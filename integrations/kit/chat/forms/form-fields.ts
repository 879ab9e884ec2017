import * as v from 'valibot'
import {
  maxBodyBytes,
  maxTitleCharacters,
  singleLineText,
  text,
} from '../../../../src/contract/text.ts'
import type { Language } from '../../../../src/contract/vocabulary.ts'
import { oneLine } from '../../text/fit-length.ts'
import { normalizeText } from '../../text/plain-text.ts'
import { chatText } from '../locales/index.ts'

/** What a person wrote in a field of a form, or why it is not accepted, in their language. */
type Field = { value: string } | { error: string }

/** The title in a form. It is not cut, so that the person learns that it is too long. */
export function readTitle(written: string | null | undefined, language: Language): Field {
  const line = oneLine(written ?? '', Number.POSITIVE_INFINITY)
  const title = v.safeParse(singleLineText(maxTitleCharacters), line)
  if (title.success) return { value: title.output }
  const isTooLong = [...line].length > maxTitleCharacters
  const key = isTooLong ? 'form_title_too_long' : 'form_title_missing'
  return { error: chatText(language, key, { max: maxTitleCharacters }) }
}

/** The text in a form. */
export function readBody(written: string | null | undefined, language: Language): Field {
  const body = v.safeParse(text(maxBodyBytes), normalizeText(written ?? ''))
  if (body.success) return { value: body.output }
  const isTooLong = Buffer.byteLength(written ?? '') > maxBodyBytes
  return { error: chatText(language, isTooLong ? 'too_long' : 'nothing_written') }
}
