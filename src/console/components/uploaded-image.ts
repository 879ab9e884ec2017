import type { ContentBlock } from '../../contract/blocks/content-block.ts'
import { findImages } from '../../features/images/index.ts'
import type { ConsoleDeps, MemberRequest } from '../http/context.ts'

/** An uploaded image of the team. */
export interface UploadedImage {
  path: string
  alt: string
}

/** The path of an image that this service serves, or null for every other address. */
export const uploadedPath = ({ baseUrl }: Pick<ConsoleDeps, 'baseUrl'>, address: string | null) =>
  address?.startsWith(`${baseUrl}/media/`) ? address.slice(baseUrl.length) : null

/** The image of a block when the team has uploaded it, else null. */
export async function findUploadedImage(
  { ctx, deps }: MemberRequest,
  { image_url, image_alt }: Pick<ContentBlock, 'image_url' | 'image_alt'>,
): Promise<UploadedImage | null> {
  const path = uploadedPath(deps, image_url)
  if (path === null) return null
  const image = (await findImages(ctx, [image_url]))(image_url)
  return image ? { path, alt: image_alt ?? image.alt ?? '' } : null
}
