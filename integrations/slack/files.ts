import type { AttachmentContext } from '../kit/adapter.ts'
import { maxAltCharacters } from '../kit/chat/submissions.ts'
import { ProviderError, responseError } from '../kit/provider-error.ts'
import type { SlackMessage } from '../kit/slack/message.ts'
import { readMessage } from '../kit/slack/text.ts'
import { truncateUtf16 } from '../kit/text/fit-length.ts'
import { normalizeText } from '../kit/text/plain-text.ts'
import { providerError, slackClient } from './client.ts'
import { bolt } from './packages.ts'
import type { Settings } from './settings.ts'

const requestTimeoutMs = 10_000
const maxBytes = 5 * 1024 * 1024

type Message = Pick<SlackMessage, 'text' | 'blocks' | 'attachments' | 'files'>

const isImage = ({ id, mimetype }: Message['files'][number]) =>
  /^F[A-Z0-9]{1,40}$/.test(id) && mimetype.startsWith('image/')

/** The id of an image and what it shows, as an event and the notes of a form contain it. */
export interface Image {
  file?: string
  file_alt?: string
}

/** The first image of a message. */
export function imageOf({ files }: Message): Image {
  const image = files.find(isImage)
  if (!image) return {}
  return imageIn({ file: image.id, file_alt: truncateUtf16(maxAltCharacters, image.alt_txt) })
}

/** The image of an event or of the notes of a form, without empty fields. */
export const imageIn = ({ file, file_alt }: Image): Image => ({
  ...(file && { file }),
  ...(file_alt && { file_alt }),
})

/**
 * The text of a message. The image that is imported is not named in it, unless the message has no
 * other text.
 */
export function textBesideImage(message: Message): { title?: string; body: string } | undefined {
  const image = message.files.find(isImage)
  const files = message.files.filter((file) => file !== image)
  return readMessage({ ...message, files }, normalizeText) ?? readMessage(message, normalizeText)
}

/**
 * Fetches an image with the bot token, which is sent to Slack's hosts only.
 * Source: https://docs.slack.dev/reference/objects/file-object
 */
export async function fetchAttachment({
  attachment,
  settings,
  provider,
}: AttachmentContext<Settings>): Promise<Uint8Array> {
  const url = await addressOf(attachment.file, { settings, provider })
  const response = await provider.fetch(url, {
    headers: { authorization: `Bearer ${settings.bot_token[0]}` },
  })
  if (response.ok) return await response.bytes()
  if (response.status === 404) throw noFile
  throw responseError(response, { name: 'Slack', check: 'bot_token' })
}

const noFile = new ProviderError('refused', 'Slack has no such file.')

async function addressOf(
  id: string,
  { settings, provider }: Omit<AttachmentContext<Settings>, 'attachment'>,
): Promise<URL> {
  const { url_private, size = 0 } = await fileInfo(id, { settings, provider })
  if (size > maxBytes) throw new ProviderError('refused', 'It is larger than 5 MiB.')
  const url = URL.parse(url_private ?? '')
  if (!url || !isOfSlack(url, new URL(settings.api_base_url)))
    throw new ProviderError('refused', 'Slack has no copy of this file.')
  return url
}

/** Files of other services, such as Google Drive, have addresses elsewhere. */
const isOfSlack = (url: URL, api: URL) =>
  url.origin === api.origin ||
  (url.protocol === 'https:' && url.hostname.endsWith(`.${api.hostname}`))

/** https://docs.slack.dev/reference/methods/files.info */
async function fileInfo(
  id: string,
  { settings, provider }: Omit<AttachmentContext<Settings>, 'attachment'>,
) {
  try {
    const { file } = await slackClient(settings, provider, requestTimeoutMs).files.info({
      file: id,
    })
    return file ?? {}
  } catch (error) {
    if (error instanceof bolt().webApi.WebAPIPlatformError && isGone(error.data.error)) throw noFile
    throw providerError(error)
  }
}

const isGone = (code: string) => ['file_not_found', 'file_deleted'].includes(code)
