import type { TemplateSection } from '../../../../contract/newsletters/template.ts'
import { blockTypes } from '../../../../contract/vocabulary.ts'

/** The fields of a form that contain sections. */
export interface SectionFields {
  'section_title[]': string[]
  'section_types[]': string[]
}

/** The fields of a form for sections. */
export const sectionFields = (sections: readonly TemplateSection[]): SectionFields => ({
  'section_title[]': sections.map(({ title }) => title),
  'section_types[]': sections.flatMap(({ block_types }, index) =>
    block_types.map((type) => `${index}:${type}`),
  ),
})

/** The sections of a form. Types that do not exist are left out. */
export const sectionsIn = (form: SectionFields): TemplateSection[] =>
  form['section_title[]'].map((title, index) => ({
    title: title.trim(),
    block_types: blockTypes.filter((type) => form['section_types[]'].includes(`${index}:${type}`)),
  }))

/** False for a section that nobody has filled in. */
export const isFilled = ({ title, block_types }: TemplateSection): boolean =>
  title !== '' || block_types.length > 0

/** The fields after a change such as `add`, `up:1`, `down:0` or `remove:1`. */
export function changeSections(form: SectionFields, change: string): SectionFields {
  const sections = sectionsIn(form)
  const [action, position] = change.split(':')
  const index = Number(position)
  if (action === 'add') sections.push({ title: '', block_types: [] })
  else if (action === 'remove') sections.splice(index, 1)
  else {
    const [moved] = sections.splice(index, 1)
    if (moved) sections.splice(action === 'up' ? index - 1 : index + 1, 0, moved)
  }
  return sectionFields(sections)
}
