import type { TemplateBase } from '../../../../contract/vocabulary.ts'

/** `surface_color` is the background of the content on the page, `panel_color` that of what stands out on it. */
type ColorName =
  | 'text_color'
  | 'muted_color'
  | 'border_color'
  | 'page_color'
  | 'surface_color'
  | 'panel_color'

/** The design of a layout, independent of the style of its template. */
export interface LayoutStyle {
  light: Record<ColorName, string>
  dark: Record<ColorName | 'code_color', string>
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

export const layoutStyles: Record<TemplateBase, LayoutStyle> = {
  clean: {
    light: {
      text_color: '#1a1f26',
      muted_color: '#59636e',
      border_color: '#e1e5ea',
      page_color: '#ffffff',
      surface_color: '#ffffff',
      panel_color: '#f4f5f7',
    },
    dark: {
      text_color: '#e6e9ed',
      muted_color: '#a4adb7',
      border_color: '#383d45',
      page_color: '#16181c',
      surface_color: '#16181c',
      panel_color: '#23262c',
      code_color: '#23262c',
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
      text_color: '#1b1f24',
      muted_color: '#57606a',
      border_color: '#dfe2e7',
      page_color: '#f1f2f5',
      surface_color: '#ffffff',
      panel_color: '#f1f2f5',
    },
    dark: {
      text_color: '#eceef1',
      muted_color: '#aab2bc',
      border_color: '#454b54',
      page_color: '#111317',
      surface_color: '#24272d',
      panel_color: '#33373f',
      code_color: '#33373f',
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
      text_color: '#222222',
      muted_color: '#5d5a53',
      border_color: '#dcd9d2',
      page_color: '#f1efe9',
      surface_color: '#ffffff',
      panel_color: '#f6f5f1',
    },
    dark: {
      text_color: '#e8e6e1',
      muted_color: '#aaa69d',
      border_color: '#403f3c',
      page_color: '#121212',
      surface_color: '#1c1c1b',
      panel_color: '#292927',
      code_color: '#2b2d31',
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
