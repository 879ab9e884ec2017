import * as v from 'valibot'
import { described } from './described.ts'
import { blockTypes } from './vocabulary.ts'

/** A heading of a newsletter, and the types of the blocks below it. */
export const TemplateSection = v.strictObject({
  title: described(v.string(), 'The heading of the section.', 'People'),
  block_types: described(
    v.array(v.picklist(blockTypes)),
    'The types of the blocks in the section.',
    ['new_starter', 'team_spotlight'],
  ),
})
export type TemplateSection = v.InferOutput<typeof TemplateSection>

/** A template as every response shows it. */
export const Template = v.strictObject({
  slug: described(v.string(), 'The name of the template in addresses.', 'clean'),
  name: described(v.string(), 'The name of the template.', 'Clean'),
  category: described(v.string(), 'The kind of newsletter that it suits.', 'general'),
  description: described(
    v.string(),
    'What the template looks like.',
    'Calm and white with one accent color.',
  ),
  system: described(v.boolean(), 'True for a template that every team has.', true),
  premium: described(v.boolean(), 'True for a template that not every plan includes.', false),
  sections: described(v.array(TemplateSection), 'The sections in their order.', [
    { title: 'News', block_types: ['general', 'policy_change'] },
  ]),
})
export type Template = v.InferOutput<typeof Template>
