import * as v from 'valibot'
import { elementTypes } from '../../contract/newsletters/element.ts'
import {
  blockStatuses,
  blockTypes,
  bodyFormats,
  imageSizes,
  newsletterStatuses,
} from '../../contract/vocabulary.ts'

const text = v.nullable(v.string())
const number = v.nullable(v.number())

/** What a version of a block contains. */
export const BlockContent = v.object({
  title: v.string(),
  body: v.string(),
  body_format: v.picklist(bodyFormats),
  block_type: v.picklist(blockTypes),
  status: v.picklist(blockStatuses),
  event_slug: text,
  image_url: text,
  image_alt: text,
  image_size: v.nullable(v.picklist(imageSizes)),
  image_focal_x: number,
  image_focal_y: number,
  // Versions from before these fields could be changed do not contain them.
  author: v.optional(text),
  source_url: v.optional(text),
  publish_after: text,
})
export type BlockContent = v.InferOutput<typeof BlockContent>

const VersionBlock = v.object({ id: v.string(), content_block_id: v.string(), title: v.string() })

const VersionElement = v.object({
  id: v.string(),
  type: v.picklist(elementTypes),
  before_position: v.number(),
  heading: text,
  body: text,
  options: v.nullable(v.array(v.object({ label: v.string(), url: v.string() }))),
})

/** What a version of a newsletter contains; the texts of its blocks are in the versions of these. */
export const NewsletterContent = v.object({
  title: v.string(),
  subject_line: text,
  preheader_text: text,
  status: v.picklist(newsletterStatuses),
  scheduled_date: text,
  template_slug: v.string(),
  cover_image_url: text,
  cover_image_alt: text,
  cover_focal_x: number,
  cover_focal_y: number,
  cover_color: text,
  intro: text,
  closing: text,
  table_of_contents: v.nullable(v.boolean()),
  blocks: v.array(VersionBlock),
  elements: v.array(VersionElement),
})
export type NewsletterContent = v.InferOutput<typeof NewsletterContent>
