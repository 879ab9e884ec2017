import { Elysia } from 'elysia'
import { type ImageStorage, loadImage, parseFileName } from '../features/images/index.ts'
import { notFound } from '../lib/errors.ts'
import { defaultHeaders, type RouteGroup, replyWithProblem } from '../lib/http/index.ts'

// The name of a file contains its hash, so the content behind an address never changes.
const imageHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-disposition': 'inline',
  'content-security-policy': "default-src 'none'; sandbox",
  // Webmail and newsletter archives show the images on their own pages.
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'noindex',
}

/** The images as `lib/http` serves them. */
export const mediaRouteGroup = (baseUrl: string): RouteGroup => ({
  name: 'media',
  prefix: '/media/',
  headers: defaultHeaders(baseUrl),
  replyToError: replyWithProblem,
})

/**
 * `GET /media/<hash>.<jpg|png>`: the images, and `<hash>.<shape>-<place>.<jpg|png>`: their crops, for
 * everybody who knows their address, which cannot be guessed. The content type follows from our own
 * file name, never from the content.
 */
export const media = ({ storage }: { storage: ImageStorage }) =>
  new Elysia({ prefix: '/media' }).get(
    '/:file',
    async ({ params, request, set }) => {
      const known = parseFileName(params.file)
      const etag = `"${params.file}"`
      if (known && request.headers.get('if-none-match') === etag) {
        Object.assign(set.headers, imageHeaders, { etag })
        set.status = 304
        return
      }
      const file = await loadImage(storage, params.file)
      if (!file) throw notFound('The image')
      Object.assign(set.headers, imageHeaders, { etag, 'content-type': file.contentType })
      return new Response(file.bytes)
    },
    { detail: { hide: true } },
  )
