import * as v from 'valibot'
import { described } from '../described.ts'
import { emptyAsNull, hexColor, prepared, singleLineText, slug } from '../text.ts'
import { blockTypes, templateBases, templateFonts } from '../vocabulary.ts'

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
const templateWidth = { min: 520, max: 720 }
/** The largest radius of corners, in pixels. */
const maxCornerRadius = 24

const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
  )
}

/** The looks of a template: settings, not code. */
export const TemplateStyle = v.strictObject({
  accent_color: described(
    emptyAsNull(hexColor),
    'The color of headers, links and buttons; null is the brand color of the team. Text in it and on it is made readable.',
    '#0f766e',
  ),
  background_color: described(
    emptyAsNull(hexColor),
    'The color behind the newsletter; null is the color of the layout. Only light colors are possible.',
    '#f4f5f7',
  ),
  font: described(
    v.picklist(templateFonts, `must be one of ${templateFonts.join(', ')}`),
    'The font; all of them are present on readers’ devices.',
    'system',
  ),
  width: described(
    wholeNumber(templateWidth.min, templateWidth.max),
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

const look = TemplateStyle.entries
const StyleChange = v.strictObject({
  accent_color: v.exactOptional(look.accent_color),
  background_color: v.exactOptional(look.background_color),
  font: v.exactOptional(look.font),
  width: v.exactOptional(look.width),
  corner_radius: v.exactOptional(look.corner_radius),
  show_logo: v.exactOptional(look.show_logo),
})

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
  base: described(
    v.picklist(templateBases),
    'The layout that draws it: `clean`, `bold` or `digest`.',
    'clean',
  ),
  style: described(TemplateStyle, 'The looks of the template.', { font: 'system', width: 600 }),
  sections: described(v.array(TemplateSection), 'The sections in their order.', [
    { title: 'News', block_types: ['general', 'policy_change'] },
  ]),
})
export type Template = v.InferOutput<typeof Template>

const NewSection = v.strictObject({
  title: described(singleLineText(100), 'The heading of the section.', 'People'),
  block_types: described(
    v.pipe(
      v.array(v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`)),
      v.minLength(1, 'must name at least one block type'),
    ),
    'The types of the blocks in the section.',
    ['new_starter', 'team_spotlight'],
  ),
})

const templateFields = {
  name: described(singleLineText(100), 'The name of the template.', 'Our own'),
  category: described(
    singleLineText(100),
    'The kind of newsletter that it suits; `general` without it.',
    'general',
  ),
  description: described(
    singleLineText(500),
    'What the template is for.',
    'What we send on Mondays.',
  ),
  base: described(
    v.picklist(templateBases, `must be one of ${templateBases.join(', ')}`),
    'The layout that draws it; `clean` without it.',
    'clean',
  ),
  sections: described(
    v.pipe(
      v.array(NewSection),
      v.minLength(1, 'must have at least one section'),
      v.maxLength(20, 'must have at most 20 sections'),
      v.check((sections) => {
        const types = sections.flatMap(({ block_types }) => block_types)
        return new Set(types).size === types.length
      }, 'must name every block type at most once'),
    ),
    'The sections in their order. Each block type is in one of them at most. Blocks of other types come last, under “More news”.',
    [{ title: 'People', block_types: ['new_starter', 'team_spotlight'] }],
  ),
  style: described(
    // Valibot takes a list for an object.
    prepared(StyleChange, (value) => (Array.isArray(value) ? null : value)),
    'The looks of the template; what is left out is as the layout has it.',
    { font: 'georgia', corner_radius: 12 },
  ),
}

/** A new template of a team. */
export const NewTemplate = v.strictObject({
  slug: described(
    v.pipe(
      slug,
      v.check(
        (value) => !templateBases.some((base) => base === value),
        'is the name of a template that every team has',
      ),
    ),
    'The name of the template in addresses.',
    'our-own',
  ),
  name: templateFields.name,
  category: v.optional(templateFields.category, 'general'),
  description: templateFields.description,
  premium: v.optional(
    described(v.boolean('must be true or false'), 'Only for plans that include it.', false),
    false,
  ),
  base: v.optional(templateFields.base, 'clean'),
  sections: templateFields.sections,
  style: v.exactOptional(templateFields.style),
})
export type NewTemplate = v.InferOutput<typeof NewTemplate>

/** What a caller changes of a template: what is left out stays. */
export const TemplateChange = v.partial(v.strictObject(templateFields))
export type TemplateChange = v.InferOutput<typeof TemplateChange>
