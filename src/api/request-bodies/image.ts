import { maxUploadBytes } from '../../features/images/index.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { contextOf, readBytes } from '../../lib/http/index.ts'
import { apiRequestOf } from '../authentication.ts'
import { type ReadBody, readJson } from '../input.ts'

/** Base64 makes an image one third larger; the rest is for the other fields. */
export const maxImageBodyBytes = Math.ceil(maxUploadBytes / 3) * 4 + 64 * 1024

/**
 * The body of an upload as the JSON that it means: JSON, `multipart/form-data` with the file in the
 * part `image`, or the file itself as `image/*` with the other fields in the query. Throws
 * `too_large`, `unsupported_media_type`, `invalid_json`, `validation_failed`.
 */
export async function readImageBody(request: Request): ReturnType<ReadBody> {
  const type = (request.headers.get('content-type') ?? '').toLowerCase()
  const isForm = type.startsWith('multipart/form-data')
  if (!isForm && !type.startsWith('image/')) return await readJsonOrRefuse(request, type)
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity') throw compressed()
  const bytes = await readBytes(request, maxImageBodyBytes)
  return isForm ? await readParts(request, bytes) : rawImage(request, bytes)
}

/** The body as JSON; for another type, the error names all types that an upload can have. */
async function readJsonOrRefuse(request: Request, type: string) {
  if (type !== '' && !type.startsWith('application/json')) throw unsupported()
  return await readJson(request, maxImageBodyBytes)
}

const unsupported = () =>
  new AppError(
    'unsupported_media_type',
    'Send the image as multipart/form-data with the file in the part "image", as the file itself with Content-Type: image/*, or in JSON.',
  )

const compressed = () =>
  new AppError('unsupported_media_type', 'Send the image without a Content-Encoding.')

function rawImage(request: Request, bytes: Uint8Array): Upload {
  // They are fields here, and an unknown field is an error.
  apiRequestOf(request).areParametersChecked = true
  const { api_key: _, ...fields } = Object.fromEntries(
    new URLSearchParams(contextOf(request).query),
  )
  return uploadOf(fields, bytes)
}

async function readParts(request: Request, bytes: Uint8Array): Promise<Upload> {
  const form = await parseForm(request.headers.get('content-type') ?? '', bytes)
  const file = form.get('image')
  const texts = [...form].flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return uploadOf(Object.fromEntries(texts), file instanceof File ? await file.bytes() : null)
}

type Upload = Awaited<ReturnType<ReadBody>>

/**
 * An upload as JSON, and the bytes that it shares with its repetitions: a form has another boundary each time, and the
 * fields of a file are in the query.
 */
function uploadOf(texts: Readonly<Record<string, string>>, file: Uint8Array | null): Upload {
  const named = Object.entries(texts).toSorted()
  const content = file ?? new Uint8Array()
  return {
    json: { ...fieldsOf(named), ...(file && { image: dataUri(file) }) },
    bytes:
      named.length > 0 ? Buffer.concat([Buffer.from(JSON.stringify(named)), content]) : content,
  }
}

async function parseForm(contentType: string, bytes: Uint8Array) {
  try {
    const headers = { 'content-type': contentType }
    return await new Response(Buffer.from(bytes), { headers }).formData()
  } catch {
    throw invalidField('', 'the body must be valid multipart/form-data', 'type')
  }
}

const dataUri = (bytes: Uint8Array) => `data:;base64,${Buffer.from(bytes).toString('base64')}`

/** Fields as text, as JSON has them: numbers as numbers, and empty ones not at all. */
function fieldsOf(fields: readonly (readonly [string, string])[]): Record<string, unknown> {
  return Object.fromEntries(
    fields
      .filter(([, value]) => value.trim() !== '')
      .map(([name, value]) => [name, name.startsWith('focal_') ? Number(value) : value]),
  )
}
