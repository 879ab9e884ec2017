import { expect, test } from 'bun:test'
import { isBrief } from '../../src/lib/text/brief.ts'

test('a body that begins with the words of its title is shown without a heading', () => {
  expect(isBrief('We shipped v2 🎉', 'We shipped v2 🎉')).toBe(true)
  expect(isBrief('Kudos to Bob', 'kudos to Bob.')).toBe(true)
  expect(isBrief('The search team moved every…', 'The search team moved every index')).toBe(true)
  expect(isBrief('We wrote about it', 'We wrote about it https://acme.test/x')).toBe(true)
  expect(isBrief('Sign up at until Friday', 'Sign up at acme.test/x until Friday')).toBe(true)
})

test('a body that says something else keeps its heading', () => {
  expect(isBrief('Tideline 2 is out', 'Faster search.')).toBe(false)
  expect(isBrief('We', 'Western wins')).toBe(false)
  expect(isBrief('🎉', '🎉')).toBe(false)
})
