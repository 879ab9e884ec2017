import type { ContentBlock } from '../../contract/content-block.ts'
import type { BlockSource, BlockStatus, BlockType } from '../../contract/vocabulary.ts'
import { looksLikeHtml, sanitizeHtml } from '../../lib/sanitize-html.ts'
import { attribute } from '../attribute.ts'

/** Kinds of blocks as people read them. */
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

/** Where blocks come from, as people read it. */
export const sourceTitles = {
  manual: 'Written here',
  submission: 'Submitted',
  ai_draft: 'AI draft',
  agent: 'API',
  webhook: 'Webhook',
} as const satisfies Record<BlockSource, string>

/** States of blocks as people read them, with the look of their badge. */
export const statusLooks = {
  draft: { title: 'Draft', tone: 'warn' },
  ready: { title: 'Ready', tone: 'good' },
  used: { title: 'Used', tone: '' },
} as const satisfies Record<BlockStatus, { title: string; tone: string }>

/** A block's state in a word. */
export function StatusBadge({ status }: { status: BlockStatus }) {
  const { title, tone } = statusLooks[status]
  return <span class={`badge ${tone}`}>{title}</span>
}

/** Who or what brought a block, in a few words. */
export const originOf = ({ origin, source, api_key_name }: ContentBlock): string =>
  origin?.provider ?? (source === 'agent' ? (api_key_name ?? 'API') : sourceTitles[source])

/** A block's words as they will look. They are cleaned here as they were when they came. */
export function BlockBody({
  body,
  format = looksLikeHtml(body) ? 'html' : 'text',
}: {
  body: string
  format?: ContentBlock['body_format']
}) {
  const html = format === 'html' ? sanitizeHtml(body) : paragraphs(body)
  return <div class="prose">{html as 'safe'}</div>
}

const paragraphs = (text: string) =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${Bun.escapeHTML(part).replaceAll('\n', '<br />')}</p>`)
    .join('\n')

/** A block as it will look in an issue: its picture, title and words. */
export function BlockLook({ block }: { block: ContentBlock }) {
  const { title, body, body_format, image_url, image_size } = block
  return (
    <article class="look">
      {image_url ? (
        <img class={image_size ?? 'full_width'} src={attribute(image_url)} alt="" />
      ) : null}
      <h2 safe>{title}</h2>
      <BlockBody body={body} format={body_format} />
    </article>
  )
}
