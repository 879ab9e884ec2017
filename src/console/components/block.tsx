import type { ContentBlock } from '../../contract/content-block.ts'
import type { BlockSource, BlockStatus, BlockType } from '../../contract/vocabulary.ts'
import { looksLikeHtml, sanitizeHtml } from '../../lib/sanitize-html.ts'
import { attribute } from '../attribute.ts'
import type { ConsoleDeps } from '../http/context.ts'
import { providerName } from './provider.ts'

/** The types of blocks in the console's words. */
export const typeTitles = {
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

/** The sources of blocks in the console's words. */
export const sourceTitles = {
  manual: 'Written here',
  submission: 'Submitted',
  ai_draft: 'AI draft',
  agent: 'API',
  webhook: 'Webhook',
} as const satisfies Record<BlockSource, string>

/** The statuses of blocks in the console's words, with the tone of their badges. */
export const statusLooks = {
  draft: { title: 'Draft', tone: 'warn' },
  ready: { title: 'Ready', tone: 'good' },
  used: { title: 'Used', tone: '' },
} as const satisfies Record<BlockStatus, { title: string; tone: string }>

/** The status of a block as a badge. */
export function StatusBadge({ status }: { status: BlockStatus }) {
  const { title, tone } = statusLooks[status]
  return <span class={`badge ${tone}`}>{title}</span>
}

/** The provider, API key or kind of source that a block came from. */
export function originName(deps: ConsoleDeps, { origin, source, api_key_name }: ContentBlock) {
  if (origin?.provider) return providerName(deps, origin.provider)
  return source === 'agent' ? (api_key_name ?? 'API') : sourceTitles[source]
}

/** A block's words as they will look. They are cleaned here as they were when they came. */
export function BlockBody({
  body,
  format = looksLikeHtml(body) ? 'html' : 'text',
  images = false,
}: {
  body: string
  format?: ContentBlock['body_format']
  /** Load remote images; otherwise each is replaced by the name of its website. */
  images?: boolean
}) {
  const clean = format === 'html' ? sanitizeHtml(body) : paragraphs(body)
  const html = images ? clean : clean.replaceAll(remoteImage, placeholderOf)
  return <div class="prose">{html as 'safe'}</div>
}

const remoteImage = /<img\b[^>]*>/g

/** Loading an image tells its server who reads the block, and when. */
function placeholderOf(tag: string): string {
  const [, address = ''] = /\ssrc="([^"]*)"/.exec(tag) ?? []
  return `<span class="image-placeholder">Image from ${Bun.escapeHTML(hostOf(address))}</span>`
}

const hostOf = (address: string) => URL.parse(address)?.hostname || 'an unknown website'

/** True when a block has images that are on other websites. */
export const hasRemoteImages = ({ body, body_format, image_url }: ContentBlock): boolean =>
  image_url !== null || (body_format === 'html' && body.search(remoteImage) !== -1)

const paragraphs = (text: string) =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${Bun.escapeHTML(part).replaceAll('\n', '<br />')}</p>`)
    .join('\n')

/** A block as it will look in an issue: its picture, title and words. */
export function BlockLook({ block, images = false }: { block: ContentBlock; images?: boolean }) {
  const { title, body, body_format, image_url, image_size } = block
  return (
    <article class="look">
      {image_url && images ? (
        <img class={image_size ?? 'full_width'} src={attribute(image_url)} alt="" />
      ) : null}
      {image_url && !images ? (
        <p class="image-placeholder" safe>{`Image from ${hostOf(image_url)}`}</p>
      ) : null}
      <h2 safe>{title}</h2>
      <BlockBody body={body} format={body_format} images={images} />
    </article>
  )
}
