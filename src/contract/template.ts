import * as v from 'valibot'
import { described } from './described.ts'
import { hexColor } from './text.ts'
import { blockTypes, templateFonts } from './vocabulary.ts'

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

/** How wide the column of a newsletter may be, in pixels. */
const templateWidth = { least: 520, most: 720 }
/** The largest radius of corners, in pixels. */
const maxCornerRadius = 24

const wholeNumber = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
  )
}

/** The looks of a template: settings, not code. */
export const TemplateStyle = v.strictObject({
  accent_color: described(
    v.nullable(hexColor),
    'The color of headers, links and buttons; null is the brand color of the team. Text in it and on it is made readable.',
    '#0f766e',
  ),
  background_color: described(
    v.nullable(hexColor),
    'The color behind the newsletter; null is the color of the layout. Only light colors are possible.',
    '#f4f5f7',
  ),
  font: described(
    v.picklist(templateFonts, `must be one of ${templateFonts.join(', ')}`),
    'The font; all of them are present on readers’ devices.',
    'system',
  ),
  width: described(
    wholeNumber(templateWidth.least, templateWidth.most),
    'The width of the newsletter on a large screen, in pixels.',
    620,
  ),
  corner_radius: described(
    wholeNumber(0, maxCornerRadius),
    'The radius of the corners of images, boxes and buttons, in pixels.',
    8,
  ),
  show_logo: described(
    v.boolean('must be true or false'),
    'Whether the logo of the team is shown in place of its name.',
    true,
  ),
})
export type TemplateStyle = v.InferOutput<typeof TemplateStyle>

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
