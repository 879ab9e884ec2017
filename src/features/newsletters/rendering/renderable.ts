import type { BlockStatus, ImageSize } from '../../../contract/vocabulary.ts'
import type { BlockText } from './email-body.ts'

export interface RenderableBlock extends BlockText {
  /** Names the block in the composer. */
  mark?: string
  block_type: string
  image_url: string | null
  /** Empty for an image that only decorates; null when it is missing. */
  image_alt?: string | null | undefined
  /** Null: the width of the column. */
  image_size: ImageSize | null
  /** What stays visible where a layout crops the image, from 0 to 1; null is the middle. */
  image_focal_x?: number | null
  image_focal_y?: number | null
  source_url?: string | null
  author?: string | null
  /** The day of the event that the block announces, `YYYY-MM-DD`. */
  event_date?: string | null
  status?: BlockStatus
  publish_after?: Date | string | null
}

/** An element of a newsletter besides blocks, before the block at a position. */
export type RenderableElement = { before_position: number; mark?: string } & (
  | { type: 'section'; heading: string }
  | { type: 'divider' }
  | { type: 'callout'; heading: string | null; body: string }
  | { type: 'poll'; heading: string; options: readonly { label: string; url: string }[] }
)

interface Logo {
  url: string
  alt: string | null
  /** In pixels; null when unknown. */
  width: number | null
  height: number | null
}

interface Cover {
  image_url: string | null
  /** Empty for an image that only decorates; null when it is missing. */
  image_alt: string | null
  /** What stays visible when the image is cropped, from 0 to 1; null is the middle. */
  focal_x?: number | null
  focal_y?: number | null
  color: string | null
}

/** The content of a newsletter; all of it is untrusted. */
export interface RenderableNewsletter {
  title: string
  subject_line: string | null
  preheader_text: string | null
  team: {
    name: string
    brand_color: string | null
    logo?: Logo | null
    /** An email address, a web address or other text. */
    contact?: string | null
    /** The address at which readers send their own news. */
    share_url?: string | null
  }
  /** `YYYY-MM-DD`. */
  date?: string | null
  cover?: Cover | null
  /** HTML above and below the blocks. */
  intro?: string | null
  closing?: string | null
  /** Whether a table of contents is shown; null: in long newsletters. */
  table_of_contents?: boolean | null
  blocks: readonly RenderableBlock[]
  elements?: readonly RenderableElement[]
  /** The widths of uploaded images in the texts, in pixels, by their hashes. */
  image_widths?: ReadonlyMap<string, number>
  /** The address of the newsletter on a web page. */
  archive_url?: string | null
  /** A BCP 47 tag; `en` when it is missing or unknown. */
  lang?: string
}
