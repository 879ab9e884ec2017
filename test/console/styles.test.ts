import { expect, test } from 'bun:test'
import { Glob } from 'bun'

const folder = new URL('../../src/console/assets/styles/', import.meta.url).pathname
// The pages of the archive look like the emails, whose colors and measures they have.
const exceptions = new Set(['tokens.css', 'newsletters/archive.css'])

const spacing =
  /^(?:(?:scroll-)?(?:margin|padding|inset)(?:-[a-z-]+)?|(?:row-|column-)?gap|top|right|bottom|left)$/
const typography = /^(?:font|font-size|font-weight|line-height|letter-spacing)$/

/**
 * What of a value is written as a number instead of a name. Allowed are: a length up to 2 px, which is the width
 * of a border; a length in `em`, which belongs to the text around it; and percentages.
 */
const rules: { properties: RegExp; raw: RegExp }[] = [
  { properties: /./, raw: /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i },
  { properties: spacing, raw: /(?<![\d.])(?!0?\.?\d*em|[0-2]px)[\d.]+(?:rem|px|pt|d?v[hw])/ },
  // `line-height: 0` removes the line around an input that is not a text.
  { properties: typography, raw: /(?<![\w.-])(?!0\b)[\d.]+(?!\d*em\b)/ },
  { properties: /border(?:-[a-z-]+)?-radius/, raw: /(?<![\d.])(?!1px)[\d.]+(?:rem|px|em)/ },
  { properties: /^z-index$/, raw: /\d/ },
  { properties: /^box-shadow$/, raw: /\d/ },
  { properties: /^transition$/, raw: /\d/ },
]

/** All declarations of a style sheet; the names of properties of our own are removed from the values. */
async function declarationsOf(name: string) {
  const text = await Bun.file(folder + name).text()
  const styles = text.replaceAll(/\/\*.*?\*\//gs, '')
  return [...styles.matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+);/g)].map(
    ([, property = '', value = '']) => ({ property, value: value.replaceAll(/var\([^)]*\)/g, '') }),
  )
}

test('colors, type, spaces, radii, shadows and layers of the console are in one file, and all other styles use them by name', async () => {
  const found: string[] = []
  let count = 0
  for await (const name of new Glob('**/*.css').scan(folder)) {
    if (exceptions.has(name)) continue
    for (const { property, value } of await declarationsOf(name)) {
      count++
      const isRaw = rules.some(
        ({ properties, raw }) => properties.test(property) && raw.test(value),
      )
      if (isRaw) found.push(`${name}: ${property}: ${value}`)
    }
  }
  expect(found).toEqual([])
  expect(count).toBeGreaterThan(1000)
})

test('every color and size that a style uses by name is defined, and every defined one is used', async () => {
  const used = new Set<string>()
  const defined = new Set<string>()
  for await (const name of new Glob('**/*.css').scan(folder)) {
    const text = await Bun.file(folder + name).text()
    for (const [, property = ''] of text.matchAll(/var\((--[\w-]+)\)/g)) used.add(property)
    for (const [, property = ''] of text.matchAll(/^\s*(--[\w-]+):/gm)) defined.add(property)
  }
  expect([...used].filter((property) => !defined.has(property))).toEqual([])
  expect([...defined].filter((property) => !used.has(property))).toEqual([])
})
