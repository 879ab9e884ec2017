import type { TemplateStyle } from '../../contract/newsletters/template.ts'
import type { TemplateBase } from '../../contract/vocabulary.ts'

/** The default style of a template. */
export const defaultStyles: Record<TemplateBase, TemplateStyle> = {
  clean: styleWith({ width: 600, corner_radius: 8 }),
  bold: styleWith({ width: 600, corner_radius: 12 }),
  digest: styleWith({ width: 600, corner_radius: 0 }),
}

function styleWith(own: Pick<TemplateStyle, 'width' | 'corner_radius'>): TemplateStyle {
  return { accent_color: null, background_color: null, font: 'system', show_logo: true, ...own }
}
