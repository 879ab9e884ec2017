import type { AttachmentContext } from '../../kit/adapter.ts'
import { ProviderError, responseError } from '../../kit/provider-error.ts'
import { hasBot, isServiceUrl, type Settings } from '../settings.ts'
import { requestAsBot } from './client.ts'
import { fetchSavedImage, isSavedMessage } from './saved-images.ts'

/** A file that a person sent to the bot is in OneDrive: its address needs no token, and ends after some minutes. */
const isInOneDrive = (address: string): boolean => {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && url.port === '' && url.hostname.endsWith('.sharepoint.com')
}

/** Whether an address is that of a file of Teams. It can come from a form, so others are refused. */
export const isFile = (address: string, settings: Settings): boolean =>
  isServiceUrl(address, settings) || isInOneDrive(address)

/**
 * Fetches an image: of a message with the token of the bot, of OneDrive without one, of a saved message
 * through Microsoft Graph.
 * Source: https://learn.microsoft.com/microsoftteams/platform/bots/how-to/bots-filesv4
 */
export async function fetchAttachment({
  attachment: { file },
  settings,
  provider,
}: AttachmentContext<Settings>): Promise<Uint8Array> {
  if (!hasBot(settings)) {
    const reason = 'Microsoft Teams gives outgoing webhooks no access to images.'
    throw new ProviderError('refused', `${reason} Add the image to the block in the library.`)
  }
  if (isSavedMessage(file)) return await fetchSavedImage({ settings, provider }, file)
  if (!isFile(file, settings))
    throw new ProviderError('refused', 'Microsoft Teams has no such file.')
  const response = isServiceUrl(file, settings)
    ? await requestAsBot({ settings, provider }, file)
    : await provider.fetch(file, { redirect: 'error' })
  if (response.ok) return await response.bytes()
  if ([403, 404].includes(response.status))
    throw new ProviderError('refused', 'Microsoft Teams no longer has the file.')
  throw responseError(response, { name: 'Microsoft Teams', check: 'app_id and app_password' })
}
