import { expect, test } from 'bun:test'
import { startsWithTitle } from '../../src/lib/text/starts-with-title.ts'

test('a body that begins with the words of its title is shown without a heading', () => {
  expect(startsWithTitle('We shipped v2 🎉', 'We shipped v2 🎉')).toBe(true)
  expect(startsWithTitle('Kudos to Bob', 'kudos to Bob.')).toBe(true)
  expect(startsWithTitle('The search team moved every…', 'The search team moved every index')).toBe(
    true,
  )
  expect(startsWithTitle('We wrote about it', 'We wrote about it https://acme.test/x')).toBe(true)
  expect(startsWithTitle('Sign up at until Friday', 'Sign up at acme.test/x until Friday')).toBe(
    true,
  )
})

test('a body that says something else keeps its heading', () => {
  expect(startsWithTitle('Tideline 2 is out', 'Faster search.')).toBe(false)
  expect(startsWithTitle('We', 'Western wins')).toBe(false)
  expect(startsWithTitle('🎉', '🎉')).toBe(false)
})
