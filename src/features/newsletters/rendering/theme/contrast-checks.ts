import type { TemplateStyle } from '../../../../contract/newsletters/template.ts'
import type { TemplateBase } from '../../../../contract/vocabulary.ts'
import { contrast, isColor, readableColorOn, textColorOn } from '../../../../lib/color.ts'
import { invalidField } from '../../../../lib/errors.ts'
import { layoutStyles } from './layout-styles.ts'
import { bandColor, darkest, defaultBrand, minBackgroundContrast, pageColor } from './theme.ts'

/** How well two colors of a template can be read on each other, and what is done about it. */
export interface ContrastCheck {
  /** Links on the background, text on headers and buttons, or text on the chosen background. */
  kind: 'links' | 'band' | 'background'
  color: string
  on: string
  /** From 1 to 21 (WCAG 2.2, definitions). */
  ratio: number
  needed: number
  /** The color that is shown instead; null where the chosen one is shown. */
  shown: string | null
}

const textContrast = 4.5

/**
 * Throws `validation_failed` for a background on which text cannot be read: newsletters would have the
 * color of the layout instead.
 */
export function requireReadableBackground(base: TemplateBase, color: string | null): void {
  if (color === null) return
  const { text_color } = layoutStyles[base].light
  const ratio = contrast(text_color, color)
  if (ratio >= minBackgroundContrast) return
  // Rounded down, so that a color never seems to be good enough.
  const shown = Math.floor(ratio * 10) / 10
  throw invalidField(
    '/style/background_color',
    `style.background_color must be lighter: text on ${color} has a contrast of ${shown}, and ${minBackgroundContrast} is needed`,
    'contrast',
  )
}

/** Checks the colors of a style as they are chosen, before newsletters make them readable. */
export function checkContrast(
  base: TemplateBase,
  { accent_color, background_color }: Pick<TemplateStyle, 'accent_color' | 'background_color'>,
  brandColor: string | null,
): ContrastCheck[] {
  const { light } = layoutStyles[base]
  const accent = [accent_color, brandColor].find((one) => one && isColor(one)) ?? defaultBrand
  const page = darkest([pageColor({ background_color }, light), light.panel_color])
  const band = bandColor(accent)
  const links = contrast(accent, page)
  const checks: ContrastCheck[] = [
    {
      kind: 'links',
      color: accent,
      on: page,
      ratio: links,
      needed: textContrast,
      shown: links < textContrast ? readableColorOn(accent, page) : null,
    },
    {
      kind: 'band',
      color: textColorOn(band),
      on: accent,
      needed: textContrast,
      ratio: contrast(textColorOn(band), accent),
      shown: band === accent ? null : band,
    },
  ]
  if (background_color === null) return checks
  const background = contrast(light.text_color, background_color)
  const isIgnored = background < minBackgroundContrast
  checks.push({
    kind: 'background',
    color: light.text_color,
    on: background_color,
    ratio: background,
    needed: minBackgroundContrast,
    shown: isIgnored ? light.page_color : null,
  })
  return checks
}
