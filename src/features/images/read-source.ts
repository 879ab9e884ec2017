import type { SsrfFetch } from '../../lib/outbound/ssrf-fetch.ts'
import { maxUploadBytes, unusable } from './process.ts'

/** A foreign server has less time than a whole request. */
const fetchTimeoutMs = 5_000

/** An image that could not be fetched; the message is for people and contains no address. */
export class ImageFetchError extends Error {
  override readonly name = 'ImageFetchError'
}

/**
 * The bytes of an image from its data URI (base64) or its https address, with at most 10 and 5 MiB.
 * Throws `validation_failed`, and `ImageFetchError` when the address does not respond with a file.
 */
export async function readImageSource(
  { fetch }: { fetch: SsrfFetch },
  source: string,
): Promise<Uint8Array> {
  return source.slice(0, 5).toLowerCase() === 'data:'
    ? decodeDataUri(source)
    : await fetchImage(fetch, source)
}

function decodeDataUri(uri: string): Uint8Array {
  const encoded = uri.slice(uri.indexOf(',') + 1)
  if (encoded.length > (maxUploadBytes * 4) / 3 + 4)
    throw unusable('must be at most 10 MiB', 'too_large')
  return Buffer.from(encoded, 'base64')
}

async function fetchImage(fetch: SsrfFetch, address: string): Promise<Uint8Array> {
  try {
    const response = await fetch(address, {
      headers: { accept: 'image/*' },
      signal: AbortSignal.timeout(fetchTimeoutMs),
    })
    if (response.ok) return await response.bytes()
    await response.body?.cancel()
    throw new Error(`${new URL(address).hostname} responded with ${response.status}.`)
  } catch (error) {
    throw new ImageFetchError(error instanceof Error ? error.message : 'The request failed.')
  }
}
