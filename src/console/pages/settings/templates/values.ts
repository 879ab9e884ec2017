import * as v from 'valibot'
import {
  NewTemplate,
  type Template,
  type TemplateSection,
  TemplateStyle,
} from '../../../../contract/newsletters/template.ts'
import { type TemplateBase, templateBases } from '../../../../contract/vocabulary.ts'
import { defaultStyles } from '../../../../features/templates/index.ts'
import { parseInput } from '../../../../lib/parse.ts'
import { isFilled, sectionFields, sectionsIn } from './section-list.ts'

const text = v.optional(v.string(), '')

/** The form of a template as a browser sends it. */
export const TemplateForm = v.object({
  name: text,
  description: text,
  base: text,
  font: text,
  width: text,
  corner_radius: text,
  own_accent: text,
  accent_color: text,
  own_background: text,
  background_color: text,
  show_logo: text,
  screen: text,
  device: text,
  /** The headings of the sections, in their order. */
  'section_title[]': v.optional(v.array(v.string()), []),
  /** The block types of the sections, such as `0:general` for the first one. */
  'section_types[]': v.optional(v.array(v.string()), []),
  /** A change of the list of sections, which shows the page again: `add`, `up:1` or `remove:1`. */
  section_change: text,
  /** The page is shown again with a preview; nothing is stored. */
  preview: text,
})
export type TemplateForm = v.InferOutput<typeof TemplateForm>

/** The values of the form for a template. */
export function formOf({ name, description, base, style, sections }: Template): TemplateForm {
  const { accent_color, background_color, font, width, corner_radius, show_logo } = style
  return {
    name,
    description,
    base,
    font,
    width: String(width),
    corner_radius: String(corner_radius),
    own_accent: accent_color === null ? '' : 'on',
    accent_color: accent_color ?? '',
    own_background: background_color === null ? '' : 'on',
    background_color: background_color ?? '',
    show_logo: show_logo ? 'on' : '',
    screen: 'light',
    device: 'desktop',
    preview: '',
    section_change: '',
    ...sectionFields(sections),
  }
}

const styleOf = (form: TemplateForm) => ({
  accent_color: form.own_accent ? form.accent_color : null,
  background_color: form.own_background ? form.background_color : null,
  font: form.font,
  width: numberOf(form.width),
  corner_radius: numberOf(form.corner_radius),
  show_logo: form.show_logo !== '',
})

/** A number, or the text as it is, which the schema refuses. */
const numberOf = (typed: string): unknown => (/^\d+$/.test(typed.trim()) ? Number(typed) : typed)

const { name, base, sections } = NewTemplate.entries
const description = v.pipe(
  text,
  v.transform((typed) => typed.trim() || 'A template of the team.'),
  NewTemplate.entries.description,
)
const Fields = v.object({ name, description, base, sections, ...TemplateStyle.entries })

/** What the form says about a template. Throws `validation_failed`. */
export function templateFieldsOf(form: TemplateForm) {
  const { name, description, base, sections, ...style } = parseInput(Fields, {
    name: form.name,
    description: form.description,
    base: form.base || undefined,
    sections: sectionsIn(form).filter(isFilled),
    ...styleOf(form),
  })
  return { name, description, base, sections, style }
}

/** The template of an unfinished form, for its preview; a value that is not valid is that of the layout. */
export function unfinishedTemplateOf(form: TemplateForm): {
  base: TemplateBase
  style: TemplateStyle
  sections: TemplateSection[]
} {
  const base = templateBases.find((one) => one === form.base) ?? 'clean'
  const style = Object.entries(styleOf(form)).filter(([name, value]) => {
    const schema = Object.entries(TemplateStyle.entries).find(([field]) => field === name)?.[1]
    return schema !== undefined && v.is(schema, value)
  })
  return {
    base,
    style: v.parse(TemplateStyle, { ...defaultStyles[base], ...Object.fromEntries(style) }),
    sections: sectionsIn(form).filter(({ title, block_types }) => title && block_types.length > 0),
  }
}
