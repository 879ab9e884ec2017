import { expect, test } from 'bun:test'
import { Glob } from 'bun'

const folder = new URL('../../src/console/assets/styles/', import.meta.url).pathname
// The pages of the archive look like the emails, whose colors they have.
const exceptions = new Set(['tokens.css', 'archive.css'])

test('colors and font sizes of the console are in one file, and all other styles use them by name', async () => {
  const found: string[] = []
  for await (const name of new Glob('*.css').scan(folder)) {
    if (exceptions.has(name)) continue
    const text = await Bun.file(folder + name).text()
    const styles = text.replaceAll(/\/\*.*?\*\//gs, '')
    const colors = /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/gi
    const sizes = /font-size:\s*[\d.]+(?:rem|px|pt)/g
    for (const [match] of [...styles.matchAll(colors), ...styles.matchAll(sizes)]) {
      found.push(`${name}: ${match}`)
    }
  }
  expect(found).toEqual([])
})

test('every color and size that a style uses by name is defined', async () => {
  const used = new Set<string>()
  const defined = new Set<string>()
  for await (const name of new Glob('*.css').scan(folder)) {
    const text = await Bun.file(folder + name).text()
    for (const [, property = ''] of text.matchAll(/var\((--[\w-]+)\)/g)) used.add(property)
    for (const [, property = ''] of text.matchAll(/^\s*(--[\w-]+):/gm)) defined.add(property)
  }
  expect([...used].filter((property) => !defined.has(property))).toEqual([])
})
