import * as v from 'valibot'
import { AppError, invalidField } from '../../../lib/errors.ts'
import { readBytes } from '../../../lib/http/index.ts'

/** A submitted form: one text per name, or a list for names that end in `[]`. */
export type FormValues = Record<string, string | string[]>

/** The files of a form by the names of their fields. */
export type FormFiles = Readonly<Record<string, Uint8Array>>

const maxFormBytes = 256 * 1024

/**
 * Reads the form in the body of a request, which is larger where the form of the page has a file. Throws
 * `too_large`, `unsupported_media_type` for other content types, and `validation_failed` for text that
 * cannot be stored.
 */
export async function readForm(
  request: Request,
  { maxFileBytes }: { maxFileBytes: number },
): Promise<{ values: FormValues; files: FormFiles }> {
  const contentType = request.headers.get('content-type') ?? ''
  const type = contentType.toLowerCase().split(';')[0]?.trim()
  const bytes = await readBytes(request, maxFormBytes + maxFileBytes)
  if (bytes.length === 0) return { values: {}, files: {} }
  if (type === 'application/x-www-form-urlencoded' && bytes.length <= maxFormBytes) {
    const parameters = new URLSearchParams(new TextDecoder().decode(bytes))
    return { values: valuesOf(parameters), files: {} }
  }
  if (type !== 'multipart/form-data' || maxFileBytes === 0) {
    throw new AppError('unsupported_media_type', 'This address accepts only the form of its page.')
  }
  return await readParts(contentType, bytes)
}

async function readParts(contentType: string, bytes: Uint8Array) {
  const headers = { 'content-type': contentType }
  const form = await new Response(Buffer.from(bytes), { headers }).formData().catch(() => {
    throw invalidField('/', 'the form is not complete')
  })
  const texts: [string, string][] = []
  const files: Record<string, Uint8Array> = {}
  for (const [name, value] of form) {
    if (typeof value === 'string') texts.push([name, value])
    // Browsers send an empty file when none is chosen.
    else if (value.size > 0) files[name] = await value.bytes()
  }
  return { values: valuesOf(texts), files }
}

function valuesOf(fields: Iterable<[string, string]>): FormValues {
  const values: Map<string, string | string[]> = new Map()
  for (const [name, value] of fields) {
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
export function listValuesOf(values: FormValues, name: string): readonly string[] {
  const value = values[name]
  return Array.isArray(value) ? value : []
}

/** A checkbox: browsers send a value only when it is checked. */
export const checkbox = v.pipe(
  v.optional(v.string(), ''),
  v.transform((value) => value !== ''),
)

/** The hidden fields of every form, which contain nothing that a person has typed. */
export const fieldsOfEveryForm: readonly string[] = [
  'csrf',
  'submission',
  'signed_in_as',
  'form_team',
]

/** The hidden field with the version of a block or a newsletter that a page shows. */
export const shownVersion = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))

/** An optional field: an empty value is null. */
export const blank = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(
    v.optional(v.string(), ''),
    v.transform((text): unknown => text.trim() || null),
    schema,
  )
