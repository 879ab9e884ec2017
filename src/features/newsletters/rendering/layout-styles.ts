import type { Base } from '../../templates/index.ts'

/** The design of a layout, independent of the style of its template. */
export interface LayoutStyle {
  light: { ink: string; quiet: string; line: string; page: string; sheet: string; tint: string }
  dark: Record<'ink' | 'quiet' | 'line' | 'page' | 'sheet' | 'tint' | 'shade', string>
  headings: { h1: string; h2: string; h3: string; person: string }
  sizes: Record<
    'phone_title_px' | 'phone_title_line_px' | 'small_px' | 'quote_px' | 'quote_line_px',
    number
  >
  /** Shows the links of large stories as buttons, and headings in a serif font. */
  buttons: boolean
  serif: boolean
  /** The space between the edge of the column and the text, in pixels. */
  insetPx: number
}

const tight = 'letter-spacing:-0.02em'

export const layoutStyles: Record<Base, LayoutStyle> = {
  clean: {
    light: {
      ink: '#1a1f26',
      quiet: '#59636e',
      line: '#e1e5ea',
      page: '#ffffff',
      sheet: '#ffffff',
      tint: '#f4f5f7',
    },
    dark: {
      ink: '#e6e9ed',
      quiet: '#a4adb7',
      line: '#383d45',
      page: '#16181c',
      sheet: '#16181c',
      tint: '#23262c',
      shade: '#23262c',
    },
    headings: {
      h1: `margin:0;font-size:38px;line-height:44px;font-weight:700;${tight}`,
      h2: 'margin:0;font-size:16px;line-height:22px;font-weight:700',
      h3: 'margin:0 0 8px;font-size:23px;line-height:30px;font-weight:700;letter-spacing:-0.01em',
      person: 'margin:0 0 4px;font-size:17px;line-height:23px;font-weight:700',
    },
    sizes: {
      phone_title_px: 30,
      phone_title_line_px: 36,
      small_px: 14,
      quote_px: 22,
      quote_line_px: 32,
    },
    buttons: false,
    serif: false,
    insetPx: 24,
  },
  bold: {
    light: {
      ink: '#1b1f24',
      quiet: '#57606a',
      line: '#dfe2e7',
      page: '#f1f2f5',
      sheet: '#ffffff',
      tint: '#f1f2f5',
    },
    dark: {
      ink: '#eceef1',
      quiet: '#aab2bc',
      line: '#454b54',
      page: '#111317',
      sheet: '#24272d',
      tint: '#33373f',
      shade: '#33373f',
    },
    headings: {
      h1: `margin:0;font-size:48px;line-height:52px;font-weight:800;${tight}`,
      h2: `margin:0;font-size:28px;line-height:34px;font-weight:800;${tight}`,
      h3: 'margin:0 0 10px;font-size:24px;line-height:30px;font-weight:800;letter-spacing:-0.01em',
      person: 'margin:0 0 4px;font-size:18px;line-height:24px;font-weight:800',
    },
    sizes: {
      phone_title_px: 36,
      phone_title_line_px: 40,
      small_px: 14,
      quote_px: 24,
      quote_line_px: 33,
    },
    buttons: true,
    serif: false,
    insetPx: 40,
  },
  digest: {
    light: {
      ink: '#222222',
      quiet: '#5d5a53',
      line: '#dcd9d2',
      page: '#f1efe9',
      sheet: '#ffffff',
      tint: '#f6f5f1',
    },
    dark: {
      ink: '#e8e6e1',
      quiet: '#aaa69d',
      line: '#403f3c',
      page: '#121212',
      sheet: '#1c1c1b',
      tint: '#292927',
      shade: '#2b2d31',
    },
    headings: {
      h1: 'margin:0;font-size:34px;line-height:40px;font-weight:700;letter-spacing:-0.01em',
      h2: 'margin:0;font-size:15px;line-height:20px;font-weight:700',
      h3: 'margin:0 0 5px;font-size:19px;line-height:25px;font-weight:700',
      person: 'margin:0 0 3px;font-size:17px;line-height:22px;font-weight:700',
    },
    sizes: {
      phone_title_px: 29,
      phone_title_line_px: 34,
      small_px: 13,
      quote_px: 20,
      quote_line_px: 29,
    },
    buttons: false,
    serif: true,
    insetPx: 28,
  },
}
