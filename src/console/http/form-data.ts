import * as v from 'valibot'
import { AppError, invalidField } from '../../lib/errors.ts'
import { readBytes } from '../../lib/http/index.ts'

/** A submitted form: one text per name, or a list for names that end in `[]`. */
export type FormValues = Record<string, string | string[]>

const maxFormBytes = 256 * 1024
/**
 * Reads the form in the body of a request. Throws `too_large`, `unsupported_media_type` for other content
 * types, and `validation_failed` for text that cannot be stored.
 */
export async function readForm(request: Request): Promise<FormValues> {
  const [type] = (request.headers.get('content-type') ?? '').toLowerCase().split(';')
  const bytes = await readBytes(request, maxFormBytes)
  if (bytes.length > 0 && type?.trim() !== 'application/x-www-form-urlencoded') {
    throw new AppError('unsupported_media_type', 'This address accepts only the form of its page.')
  }
  const values: Map<string, string | string[]> = new Map()
  for (const [name, value] of new URLSearchParams(new TextDecoder().decode(bytes))) {
    if (name.includes('\0') || value.includes('\0')) {
      throw invalidField('/', 'the NUL character cannot be stored')
    }
    // Browsers send line breaks as CR LF.
    const text = value.replaceAll('\r\n', '\n')
    const list = values.get(name)
    if (!name.endsWith('[]')) values.set(name, text)
    else if (Array.isArray(list)) list.push(text)
    else values.set(name, [text])
  }
  return Object.fromEntries(values)
}

/** The value of a field, or an empty string. */
export function textOf(values: FormValues, name: string): string {
  const value = values[name]
  return typeof value === 'string' ? value : ''
}

/** The values of a field whose name ends in `[]`. */
export function listOf(values: FormValues, name: string): readonly string[] {
  const value = values[name]
  return Array.isArray(value) ? value : []
}

/** A checkbox: browsers send a value only when it is checked. */
export const checkbox = v.pipe(
  v.optional(v.string(), ''),
  v.transform((value) => value !== ''),
)

/** An optional field: an empty value is null. */
export const blank = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((text): unknown => text.trim() || null),
    schema,
  )
