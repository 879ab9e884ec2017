/** How a reader's screen is lit. */
export type ColorScheme = 'light' | 'dark'

/**
 * A rendered mail as it looks on a light or on a dark screen, whatever screen it is shown on. Only its
 * own styles are touched, never what people wrote.
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
