import { Elysia } from 'elysia'
import { described } from '../../contract/described.ts'
import { Image, NewImage } from '../../contract/image.ts'
import {
  createImage,
  ImageFetchError,
  processImage,
  readImageSource,
} from '../../features/images/index.ts'
import { invalidField } from '../../lib/errors.ts'
import { access } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { document, type OperationDoc } from '../openapi/operation.ts'
import { maxImageBodyBytes, readImageBody } from '../request-bodies/image.ts'
import { resource, responses } from '../response.ts'
import { writePrepared } from '../write.ts'

const exampleImage = {
  id: 'img_019a9f3e2b7c7d10a3b4c5d6e7f80912',
  url: `https://tidings.example/media/${'4f'.repeat(32)}.jpg`,
  type: 'image/jpeg',
  width: 1200,
  height: 800,
  bytes: 184_320,
  alt: 'The team on the roof at sunset',
  focal_x: 0.5,
  focal_y: 0.4,
  created_at: '2026-11-20T09:30:00.000Z',
} satisfies Image

export const ImageResponse = resource({
  image: described(Image, 'The image.', exampleImage),
})

const share = { type: 'number', minimum: 0, maximum: 1 } as const

/** The types of a body beside JSON, for the OpenAPI document. */
const bodyTypes: OperationDoc['bodyTypes'] = {
  'multipart/form-data': {
    type: 'object',
    required: ['image'],
    properties: {
      image: { type: 'string', format: 'binary', description: 'The file.' },
      alt: {
        type: 'string',
        description: 'What people read who do not see the image.',
        examples: [exampleImage.alt],
      },
      focal_x: { ...share, description: 'The important part, from the left.', examples: [0.5] },
      focal_y: { ...share, description: 'The important part, from the top.', examples: [0.4] },
    },
  },
  'image/*': {
    type: 'string',
    format: 'binary',
    description: 'The file. `alt`, `focal_x` and `focal_y` can be in the query.',
  },
}

/** `/images`: uploads. */
export const images = (deps: ApiDeps) =>
  new Elysia({ prefix: '/images', tags: ['Images'] }).use(access(deps)).post(
    '/',
    async ({ body, request, set }) => {
      const { image: source, alt = null, focal_x = null, focal_y = null } = body
      return await writePrepared(
        deps,
        { request, set },
        {
          prepare: async () => await processImage(await read(deps, source)),
          async work(ctx, file) {
            const use = { file, alt, focal_x, focal_y }
            const image = await createImage({ ...ctx, ...deps.images }, use)
            return {
              status: 201,
              body: { image, ...altWarnings(image, alt) },
              headers: { location: image.url },
            }
          },
        },
      )
    },
    {
      access: { scope: 'write', readBody: readImageBody },
      body: NewImage,
      response: responses({ 201: ImageResponse }),
      detail: document({
        operationId: 'createImage',
        summary: 'Upload an image',
        description:
          'JPEG, PNG, GIF, WebP or AVIF, recognized by content, of at most 10 MiB and 50 megapixels. It is stored as JPEG or PNG of at most 1200 × 4000 pixels, without metadata; of an animation, the first frame. Use `url` as the `image_url` of a block. The same image again returns the same `id` and keeps its `alt`. An image to which nothing refers is deleted after 30 days.',
        bodyExample: { image: 'https://acme.example/roof.jpg', alt: exampleImage.alt },
        bodyTypes,
        maxBodyBytes: maxImageBodyBytes,
        responses: { 201: { description: 'The image.', example: { image: exampleImage } } },
      }),
    },
  )

/** A warning when the image was there already, with another text. */
const altWarnings = (image: Image, alt: string | null): { warnings?: string[] } =>
  alt === null || image.alt === alt
    ? {}
    : {
        warnings: [
          'the image is known already and keeps its alt; set image_alt of the block instead',
        ],
      }

async function read(deps: ApiDeps, source: string): Promise<Uint8Array> {
  try {
    return await readImageSource(deps.images, source)
  } catch (error) {
    if (!(error instanceof ImageFetchError)) throw error
    throw invalidField('/image', `image cannot be fetched. ${error.message}`, 'not_fetched')
  }
}
