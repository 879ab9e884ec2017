import type { AttachmentContext } from '../kit/adapter.ts'
import { ProviderError, responseError } from '../kit/provider-error.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import type { Attachment } from './requests/interaction.ts'
import type { Settings } from './settings.ts'

/** https://docs.discord.com/developers/reference#image-formatting */
const fileHosts = ['https://cdn.discordapp.com', 'https://media.discordapp.net']

/** Whether an address is that of a file at Discord. It comes from a form, so others are refused. */
export function isFile(address: string, settings: Settings): boolean {
  const origin = URL.parse(address)?.origin ?? ''
  return fileHosts.includes(origin) || origin === new URL(settings.api_base_url).origin
}

/** An image at Discord. */
export interface Image {
  /** Its address at Discord. */
  file: string
  /** What it shows; empty when nobody wrote it. */
  file_alt: string
}

/** An attachment that is an image; undefined for other files. */
export const imageOf = (
  attachment: Attachment | undefined,
  settings: Settings,
): Image | undefined =>
  attachment?.content_type?.startsWith('image/') && isFile(attachment.url, settings)
    ? { file: attachment.url, file_alt: oneLine(attachment.description) }
    : undefined

/**
 * Fetches an image. Its address needs no token and expires after a day.
 * Source: https://docs.discord.com/developers/reference#signed-attachment-cdn-urls
 */
export async function fetchAttachment({
  attachment,
  settings,
  provider,
}: AttachmentContext<Settings>): Promise<Uint8Array> {
  if (!isFile(attachment.file, settings))
    throw new ProviderError('refused', 'Discord has no such file.')
  const response = await provider.fetch(attachment.file)
  if (response.ok) return await response.bytes()
  if ([403, 404].includes(response.status))
    throw new ProviderError('refused', 'Discord no longer has the file under this address.')
  throw responseError(response, { name: 'Discord', check: 'the address' })
}
