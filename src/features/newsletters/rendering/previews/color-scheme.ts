/** The color scheme of a reader's device. */
export type ColorScheme = 'light' | 'dark'

/**
 * A rendered email in the light or the dark color scheme, whatever the device uses. Only its own
 * styles are changed, never what people wrote.
 */
export function forColorScheme(html: string, scheme: ColorScheme): string {
  const medium = scheme === 'dark' ? 'all' : 'not all'
  return html
    .replaceAll(/<style[^>]*>.*?<\/style>/gs, (style) =>
      style
        .replaceAll('(prefers-color-scheme: dark)', medium)
        .replaceAll('color-scheme: light dark', `color-scheme: ${scheme}`),
    )
    .replace(
      '<meta name="color-scheme" content="light dark"',
      `<meta name="color-scheme" content="${scheme}"`,
    )
}
