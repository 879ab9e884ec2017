import type { ContentBlock } from '../../contract/blocks/content-block.ts'
import type { BlockSource, BlockStatus, BlockType } from '../../contract/vocabulary.ts'
import { looksLikeHtml } from '../../lib/html/looks-like-html.ts'
import { sanitizeHtml, textLinesOf } from '../../lib/html/sanitize-html.ts'
import { startsWithTitle } from '../../lib/text/starts-with-title.ts'
import type { ConsoleDeps } from '../http/context.ts'
import type { TextKey, Translate } from '../locales/index.ts'
import { providerName } from './provider-name.ts'
import type { UploadedImage } from './uploaded-image.ts'

/** The labels of the block types. */
export const blockTypeLabels = {
  general: 'blocks.general',
  ceo_update: 'blocks.ceo_update',
  team_spotlight: 'blocks.team_spotlight',
  new_starter: 'blocks.new_starter',
  policy_change: 'blocks.policy_change',
  event_announcement: 'common.event',
  wins_milestones: 'blocks.win_or_milestone',
  poll: 'blocks.poll',
  learning_development: 'blocks.learning',
} as const satisfies Record<BlockType, TextKey>

/** The labels of the block sources. */
export const blockSourceLabels = {
  manual: 'blocks.written_here',
  submission: 'blocks.submitted',
  ai_draft: 'blocks.ai_draft',
  agent: 'blocks.api',
  webhook: 'blocks.webhook',
} as const satisfies Record<BlockSource, TextKey>

/** The labels of the block statuses and the colors of their badges. */
export const blockStatusBadges = {
  draft: { title: 'common.draft', tone: 'warning' },
  ready: { title: 'common.ready', tone: 'success' },
  used: { title: 'common.used', tone: '' },
} as const satisfies Record<BlockStatus, { title: TextKey; tone: string }>

/** The status of a block as a badge. */
export function StatusBadge({ t, status }: { t: Translate; status: BlockStatus }) {
  const { title, tone } = blockStatusBadges[status]
  return <span class={`badge ${tone}`}>{t(title)}</span>
}

/** The name of the provider or the API key of a block, or the label of its source. */
export function originLabel(
  t: Translate,
  deps: ConsoleDeps,
  { origin, source, api_key_name }: ContentBlock,
) {
  if (origin?.provider) return providerName(deps, origin.provider)
  return source === 'agent' ? (api_key_name ?? 'API') : t(blockSourceLabels[source])
}

/** The body of a block as readers will see it. It is sanitized again, as it was when it was stored. */
export function BlockBody({
  t,
  body,
  format = looksLikeHtml(body) ? 'html' : 'text',
  images = false,
}: {
  t: Translate
  body: string
  format?: ContentBlock['body_format']
  /** Loads remote images; otherwise each is replaced by the name of its website. */
  images?: boolean
}) {
  const clean = format === 'html' ? sanitizeHtml(body) : paragraphs(body)
  const html = images ? clean : clean.replaceAll(remoteImage, (tag) => imagePlaceholder(t, tag))
  return <div class="prose">{html as 'safe'}</div>
}

const remoteImage = /<img\b[^>]*>/g

/** A placeholder, because a request for the image would show its server who reads the block and when. */
function imagePlaceholder(t: Translate, tag: string): string {
  const [, address = ''] = /\ssrc="([^"]*)"/.exec(tag) ?? []
  const text = t('blocks.image_from', { website: hostnameOf(t, address) })
  return `<span class="image-placeholder">${Bun.escapeHTML(text)}</span>`
}

const hostnameOf = (t: Translate, address: string): string =>
  URL.parse(address)?.hostname || t('blocks.an_unknown_website')

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
export function isShownWithoutHeading(
  { title, body }: Pick<ContentBlock, 'title' | 'body'>,
  format: ContentBlock['body_format'] = looksLikeHtml(body) ? 'html' : 'text',
): boolean {
  return startsWithTitle(title, format === 'html' ? textLinesOf(body) : body)
}
