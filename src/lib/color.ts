/** The minimum contrast between text and its background (WCAG 2.2, success criterion 1.4.3). */
const minContrast = 4.5

type Rgb = readonly [number, number, number]

function rgbOf(color: string): Rgb {
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

function mix(one: string, other: string, share: number): string {
  const to = rgbOf(other)
  const mixed = rgbOf(one).map((value, at) => Math.round(value + ((to[at] ?? 0) - value) * share))
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}

/** True for `#rrggbb`, the only format in which colors are stored. */
export function isColor(value: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(value)
}

/** The relative luminance, from 0 to 1 (WCAG 2.2, definitions). */
function luminance(color: string): number {
  const linear = (value: number) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  const [red, green, blue] = rgbOf(color)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** The contrast ratio of two `#rrggbb` colors, from 1 to 21 (WCAG 2.2, definitions). */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** White where it is readable on `background`, otherwise black: one of the two always is. */
export function textColorOn(background: string): '#ffffff' | '#000000' {
  return contrast('#ffffff', background) >= minContrast ? '#ffffff' : '#000000'
}

/** `color`, darkened or lightened only as far as necessary to be readable on `background`. */
export function readableColorOn(color: string, background: string): string {
  const target = textColorOn(background)
  for (let share = 0; share < 1; share += 0.04) {
    const mixed = mix(color, target, share)
    if (contrast(mixed, background) >= minContrast) return mixed
  }
  return target
}
