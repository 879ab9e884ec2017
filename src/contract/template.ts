import * as v from 'valibot'
import { blockTypes } from './vocabulary.ts'

/** A heading of an issue, and the types of the blocks that stand under it. */
export const TemplateSection = v.strictObject({
  title: v.string(),
  block_types: v.array(v.picklist(blockTypes)),
})
export type TemplateSection = v.InferOutput<typeof TemplateSection>

/** A template as every answer shows it. */
export const Template = v.strictObject({
  slug: v.string(),
  name: v.string(),
  category: v.string(),
  description: v.string(),
  system: v.boolean(),
  premium: v.boolean(),
  sections: v.array(TemplateSection),
})
export type Template = v.InferOutput<typeof Template>
