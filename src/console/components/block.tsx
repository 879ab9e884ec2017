import type { ContentBlock } from '../../contract/content-block.ts'
import type { BlockSource, BlockStatus, BlockType } from '../../contract/vocabulary.ts'
import { isBrief } from '../../lib/brief.ts'
import { htmlToText, looksLikeHtml, sanitizeHtml } from '../../lib/sanitize-html.ts'
import { attribute } from '../attribute.ts'
import type { ConsoleDeps } from '../http/context.ts'
import { providerName } from './provider.ts'
import type { UploadedImage } from './uploaded-image.ts'

/** The labels of the block types. */
export const blockTypeLabels = {
  general: 'General',
  ceo_update: 'CEO update',
  team_spotlight: 'Team spotlight',
  new_starter: 'New starter',
  policy_change: 'Policy change',
  event_announcement: 'Event',
  wins_milestones: 'Win or milestone',
  poll: 'Poll',
  learning_development: 'Learning',
} as const satisfies Record<BlockType, string>

/** The labels of the block sources. */
export const blockSourceLabels = {
  manual: 'Written here',
  submission: 'Submitted',
  ai_draft: 'AI draft',
  agent: 'API',
  webhook: 'Webhook',
} as const satisfies Record<BlockSource, string>

/** The labels of the block statuses and the colors of their badges. */
export const blockStatusBadges = {
  draft: { title: 'Draft', tone: 'warning' },
  ready: { title: 'Ready', tone: 'success' },
  used: { title: 'Used', tone: '' },
} as const satisfies Record<BlockStatus, { title: string; tone: string }>

/** The status of a block as a badge. */
export function StatusBadge({ status }: { status: BlockStatus }) {
  const { title, tone } = blockStatusBadges[status]
  return <span class={`badge ${tone}`}>{title}</span>
}

/** The name of the provider or the API key of a block, or the label of its source. */
export function originLabel(deps: ConsoleDeps, { origin, source, api_key_name }: ContentBlock) {
  if (origin?.provider) return providerName(deps, origin.provider)
  return source === 'agent' ? (api_key_name ?? 'API') : blockSourceLabels[source]
}

/** The body of a block as readers will see it. It is sanitized again, as it was when it was stored. */
export function BlockBody({
  body,
  format = looksLikeHtml(body) ? 'html' : 'text',
  images = false,
}: {
  body: string
  format?: ContentBlock['body_format']
  /** Loads remote images; otherwise each is replaced by the name of its website. */
  images?: boolean
}) {
  const clean = format === 'html' ? sanitizeHtml(body) : paragraphs(body)
  const html = images ? clean : clean.replaceAll(remoteImage, imagePlaceholder)
  return <div class="prose">{html as 'safe'}</div>
}

const remoteImage = /<img\b[^>]*>/g

/** A placeholder, because a request for the image would tell its server who reads the block and when. */
function imagePlaceholder(tag: string): string {
  const [, address = ''] = /\ssrc="([^"]*)"/.exec(tag) ?? []
  return `<span class="image-placeholder">Image from ${Bun.escapeHTML(hostnameOf(address))}</span>`
}

const hostnameOf = (address: string) => URL.parse(address)?.hostname || 'an unknown website'

/** True when a block contains images from other websites, beside its uploaded image. */
export const hasRemoteImages = (
  { body, body_format, image_url }: ContentBlock,
  uploaded: UploadedImage | null,
): boolean =>
  (image_url !== null && uploaded === null) ||
  (body_format === 'html' && body.search(remoteImage) !== -1)

const paragraphs = (text: string) =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${Bun.escapeHTML(part).replaceAll('\n', '<br />')}</p>`)
    .join('\n')

/** Whether a block is shown without a heading, because its body begins with the words of its title. */
export function isShownAsBrief(
  { title, body }: Pick<ContentBlock, 'title' | 'body'>,
  format: ContentBlock['body_format'] = looksLikeHtml(body) ? 'html' : 'text',
): boolean {
  return isBrief(title, format === 'html' ? htmlToText(body) : body)
}

interface BlockPreviewProps {
  block: ContentBlock
  /** The image of the block, when it was uploaded; it is shown without asking. */
  uploaded?: UploadedImage | null
  /** Loads images from other websites. */
  images?: boolean
}

/** A block as it will look in a newsletter: image, title and body. A brief has no heading. */
export function BlockPreview({ block, uploaded = null, images = false }: BlockPreviewProps) {
  const { title, body, body_format, image_url, image_alt, image_size } = block
  const remote = image_url && images ? { path: image_url, alt: image_alt ?? '' } : null
  const shown = uploaded ?? remote
  return (
    <article class="block-preview">
      {shown ? (
        <img
          class={image_size ?? 'full_width'}
          src={attribute(shown.path)}
          alt={attribute(shown.alt)}
        />
      ) : null}
      {image_url && !shown ? (
        <p class="image-placeholder" safe>{`Image from ${hostnameOf(image_url)}`}</p>
      ) : null}
      {isShownAsBrief(block, body_format) ? null : <h2 safe>{title}</h2>}
      <BlockBody body={body} format={body_format} images={images} />
    </article>
  )
}
