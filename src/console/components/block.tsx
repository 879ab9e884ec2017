import type { ContentBlock } from '../../contract/content-block.ts'
import type { BlockSource, BlockStatus, BlockType } from '../../contract/vocabulary.ts'
import { looksLikeHtml, sanitizeHtml } from '../../lib/sanitize-html.ts'
import { attribute } from '../attribute.ts'
import type { ConsoleDeps } from '../http/context.ts'
import { providerName } from './provider.ts'

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

/** True when a block contains images from other websites. */
export const hasRemoteImages = ({ body, body_format, image_url }: ContentBlock): boolean =>
  image_url !== null || (body_format === 'html' && body.search(remoteImage) !== -1)

const paragraphs = (text: string) =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${Bun.escapeHTML(part).replaceAll('\n', '<br />')}</p>`)
    .join('\n')

/** A block as it will look in a newsletter: image, title and body. */
export function BlockPreview({ block, images = false }: { block: ContentBlock; images?: boolean }) {
  const { title, body, body_format, image_url, image_size } = block
  return (
    <article class="block-preview">
      {image_url && images ? (
        <img class={image_size ?? 'full_width'} src={attribute(image_url)} alt="" />
      ) : null}
      {image_url && !images ? (
        <p class="image-placeholder" safe>{`Image from ${hostnameOf(image_url)}`}</p>
      ) : null}
      <h2 safe>{title}</h2>
      <BlockBody body={body} format={body_format} images={images} />
    </article>
  )
}
