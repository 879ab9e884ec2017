import type { TemplateStyle } from '../../../../contract/newsletters/template.ts'
import type { TemplateBase, TemplateFont } from '../../../../contract/vocabulary.ts'
import { contrast, isColor, readableColorOn, textColorOn } from '../../../../lib/color.ts'
import type { View } from '../../../../lib/html/mjml.ts'
import { type LayoutStyle, layoutStyles } from './layout-styles.ts'

/** The color of a newsletter whose team and template have none. */
export const defaultBrand = '#5b5bd6'

// Without quotes, which an attribute would have to escape: each text of an email repeats its fonts.
const fontStacks: Record<TemplateFont, string> = {
  system: '-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif',
  arial: 'Arial,Helvetica,sans-serif',
  verdana: 'Verdana,Geneva,sans-serif',
  trebuchet: 'Trebuchet MS,Lucida Grande,Tahoma,sans-serif',
  georgia: 'Georgia,Times New Roman,serif',
  palatino: 'Palatino Linotype,Palatino,Book Antiqua,Georgia,serif',
}
// Outlook uses the first name that it knows, and Times New Roman when it does not know the first
// one.
const outlookFonts: Record<TemplateFont, string> = {
  ...fontStacks,
  system: 'Segoe UI,Arial,sans-serif',
}

/** The least contrast of dark text with a background that a template may have. */
export const minBackgroundContrast = 7

/** The colors, fonts and sizes of a newsletter, by their names in the layouts. */
export interface Theme {
  /** The color that was chosen, unchanged. */
  brand: string
  accent: string
  onBand: string
  buttons: boolean
  numbered: boolean
  radiusPx: number
  /** The maximum width of an image in a text, in pixels. */
  textWidthPx: number
  view: View
}

/**
 * The colors of a layout in a template's style with a team's color, readable in every combination.
 */
export function themeOf(
  base: TemplateBase,
  style: TemplateStyle,
  brandColor: string | null,
): Theme {
  const look = layoutStyles[base]
  const { light, dark } = look
  const brand = [style.accent_color, brandColor].find((one) => one && isColor(one)) ?? defaultBrand
  const page = pageColor(style, light)
  // The darkest light background and the lightest dark background: a color that is readable on both
  // is readable on all.
  const accent = readableColorOn(brand, darkest([page, light.panel_color]))
  const band = bandColor(brand)
  const on_band = textColorOn(band)
  const font = fontStacks[style.font]
  const serif = style.font === 'system' ? fontStacks.georgia : font
  const muted = readableColorOn(light.muted_color, page)
  return {
    brand,
    accent,
    onBand: on_band,
    buttons: look.buttons,
    numbered: base === 'digest',
    radiusPx: style.corner_radius,
    textWidthPx: style.width - 2 * look.insetPx,
    view: {
      ...light,
      page_color: page,
      muted_color: muted,
      accent,
      band,
      on_band,
      font,
      width: style.width,
      ...(base === 'clean' && { surface_color: page }),
      page_border_color: light.border_color,
      panel_muted_color: readableColorOn(light.muted_color, light.panel_color),
      footer_muted_color: base === 'bold' ? '#b6bec8' : muted,
      outlook_font: { html: outlookFonts[style.font] },
      quote_font: { html: serif },
      ...headingStyles(look, serif),
      ...look.sizes,
      radius_px: style.corner_radius,
      tile_radius_px: Math.min(style.corner_radius, 8),
      ...Object.fromEntries(Object.entries(dark).map(([name, color]) => [`dark_${name}`, color])),
      dark_accent: readableColorOn(brand, dark.panel_color),
    },
  }
}

/** The color behind a newsletter: the chosen one where dark text is readable on it. */
export const pageColor = (
  { background_color }: Pick<TemplateStyle, 'background_color'>,
  { page_color, text_color }: LayoutStyle['light'],
) =>
  background_color && isColor(background_color) && isLightBackground(background_color, text_color)
    ? background_color
    : page_color

/** True for a color on which dark text is easy to read (WCAG 2.2, contrast of at least 7). */
const isLightBackground = (color: string, textColor = '#222222') =>
  contrast(textColor, color) >= minBackgroundContrast

/**
 * The brand color as a background, darkened until white text is readable where a small change is
 * enough.
 */
export const bandColor = (color: string): string =>
  contrast('#ffffff', color) >= 3 ? readableColorOn(color, '#ffffff') : color

/** The color of several light ones on which a dark color is hardest to read. */
export const darkest = (colors: readonly string[]) =>
  colors.toSorted((one, other) => contrast(other, '#ffffff') - contrast(one, '#ffffff'))[0] ??
  '#ffffff'

const headingStyles = ({ headings, serif }: LayoutStyle, serifFont: string): View => {
  const family = serif ? `;font-family:${serifFont}` : ''
  return {
    h1_style: { html: headings.h1 + family },
    h2_style: { html: headings.h2 },
    h3_style: { html: headings.h3 + family },
    person_style: { html: headings.person + family },
  }
}
