import { describe, expect, test } from 'bun:test'
import { dayInWords, fullDay } from '../integrations/kit/dates.ts'
import { languages } from '../src/contract/vocabulary.ts'
import { languageOf, message, messagesIn } from '../src/locales/index.ts'

const argumentsIn = (text: string) =>
  new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name))

const facts = { hasDepartment: 'yes', department: 'Compilers', hasDay: 'yes' } as const

describe('messages of adapters', () => {
  test('the messages of adapters exist in ten languages', () => {
    expect(languages).toEqual(['en', 'de', 'fr', 'es', 'pt', 'nl', 'it', 'pl', 'sv', 'ja'])
    expect(languageOf('de')).toBe('de')
    expect(languageOf('tlh')).toBe('en')
  })

  for (const language of languages)
    test(`the messages in ${language} use the arguments that the English messages use`, () => {
      const english = messagesIn('en')
      for (const [key, text] of Object.entries(messagesIn(language))) {
        const known = argumentsIn(Object.entries(english).find(([name]) => name === key)?.[1] ?? '')
        for (const name of argumentsIn(text))
          expect([key, [...known]]).toEqual([key, expect.arrayContaining([name])])
      }
    })

  for (const language of languages)
    test(`every combination of facts about a new colleague is a sentence in ${language}`, () => {
      const { day, weekday } = dayInWords('2026-01-05', language)
      for (const hasDepartment of ['yes', 'no'] as const)
        for (const where of ['office', 'remote', 'none'] as const)
          for (const hasDay of ['yes', 'no'] as const) {
            const values = { ...facts, hasDepartment, where, hasDay, day, weekday }
            const text = message(language, 'starts', { ...values, name: 'Grace', location: 'Bonn' })
            expect(text).toMatch(/^Grace.*[.。]$/)
            expect(text).not.toMatch(/\s{2}|\s[.,]|[{}]/)
          }
    })

  test('a message leaves markup in its arguments as it is', () => {
    const text = message('en', 'kudos_to', { text: "<b>O'Neil</b> {x}" })
    expect(text).toBe("Kudos to <b>O'Neil</b> {x}")
  })
})

test('days are written as readers of each language write them', () => {
  expect(dayInWords('2026-01-05', 'en')).toEqual({ day: '5 January', weekday: 'Monday' })
  expect(dayInWords('2026-01-05', 'fr')).toEqual({ day: '5 janvier', weekday: 'lundi' })
  expect(fullDay(new Date(1_700_000_000_000), 'en')).toBe('14 November 2023')
  expect(fullDay(new Date(Number.NaN), 'en')).toBe('')
})
