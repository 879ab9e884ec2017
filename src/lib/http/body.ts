import { AppError } from '../errors.ts'

/** The bytes of a request's body, read no further than `limit`. Throws `too_large`. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new AppError('too_large', `The body is larger than ${limit / 1024} KiB.`, {
      headers: { connection: 'close' },
    })
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > limit) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
