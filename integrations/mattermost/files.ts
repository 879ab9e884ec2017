import type { AttachmentContext } from '../kit/adapter.ts'
import { ProviderError } from '../kit/provider-error.ts'
import { isRefusedWith, requestMattermost } from './api.ts'
import { hasBot, type Settings } from './settings.ts'

/** https://developers.mattermost.com/api-documentation/#/operations/GetFile */
export async function fetchAttachment({
  attachment,
  ...context
}: AttachmentContext<Settings>): Promise<Uint8Array> {
  if (!hasBot(context.settings))
    throw new ProviderError('refused', 'Set server_url and access_token to import images.')
  try {
    const response = await requestMattermost(context, { path: `files/${attachment.file}` })
    return await response.bytes()
  } catch (error) {
    if (isRefusedWith(error, 404))
      throw new ProviderError('refused', 'Mattermost has no such file.')
    throw error
  }
}
