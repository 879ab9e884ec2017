import type { AttachmentContext } from '../kit/adapter.ts'
import { ProviderError, responseError } from '../kit/provider-error.ts'
import { requestChat } from './client.ts'
import type { Message } from './requests/event.ts'
import type { Settings } from './settings.ts'

/** The name of a file in Google Chat, whose parts are segments of a path. */
const resourceName = /^(?!\.{1,2}(?:\/|$))[\w.~=+:-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.~=+:-]+)*$/

/** The first image of a message that was uploaded there; undefined without one. */
export function imageOf({ attachment }: Message): string | undefined {
  const names = attachment.map(({ contentType, attachmentDataRef }) =>
    contentType.startsWith('image/') ? (attachmentDataRef?.resourceName ?? '') : '',
  )
  return names.find(isFile)
}

/** Whether a text is the name of a file. A form contains it, so it can be changed. */
export const isFile = (name: string): boolean => name.length <= 1_000 && resourceName.test(name)

/**
 * Fetches an image with the token of the service account.
 * Source: https://developers.google.com/workspace/chat/download-media-attachments
 */
export async function fetchAttachment({
  attachment: { file },
  settings,
  provider,
}: AttachmentContext<Settings>): Promise<Uint8Array> {
  if (!isFile(file)) throw new ProviderError('refused', 'Google Chat has no such file.')
  const path = `media/${file.split('/').map(encodeURIComponent).join('/')}`
  const response = await requestChat({ settings, provider }, { path, query: { alt: 'media' } })
  if (response.ok) return await response.bytes()
  if (response.status === 404)
    throw new ProviderError('refused', 'Google Chat no longer has the file.')
  const check = 'service_account and private_key'
  throw responseError(response, { name: 'Google Chat', check })
}
