import { describe, expect, test } from 'bun:test'
import { chatTextsIn } from '../integrations/kit/chat/locales/index.ts'
import { dayInWords, fullDay } from '../integrations/kit/dates.ts'
import { languages } from '../src/contract/vocabulary.ts'
import { languageOf, localeOf, message, messagesIn, parseMessage } from '../src/locales/index.ts'

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

/** The longest texts that Slack and Discord accept in these places. */
const limits: [RegExp, number][] = [
  [/^form_title$/, 24],
  [
    /^(?:review_(?:approve|edit|decline|cancel)|messages_o(?:n|ff)|undo|published_read|write_news)$/,
    75,
  ],
  [/^form_(?:field|save|cancel)/, 45],
  [/^(?:type|form_no)_/, 75],
  [/^form_(?:everyone|written_by|image_hint|alt_hint)$/, 100],
]

describe('what the bot says', () => {
  /** A sentence may be the same for every number. */
  const namedIn = (text: string) =>
    [...argumentsIn(text)].filter((name) => name !== 'count').toSorted()
  const sample = { count: 7, blocks: 7, drafts: 7, approved: 7 }

  for (const language of languages)
    test(`the bot's sentences in ${language} have the arguments of the English ones and fit their places`, () => {
      const english: Record<string, string> = chatTextsIn('en')
      for (const [key, text] of Object.entries(chatTextsIn(language))) {
        expect([key, namedIn(text)]).toEqual([key, namedIn(english[key] ?? '')])
        const names = Object.fromEntries(namedIn(text).map((name) => [name, 'Ada']))
        const said = String(parseMessage(text, localeOf(language)).format({ ...names, ...sample }))
        expect(said).not.toMatch(/[{}]|undefined|\s{2}/)
        const limit = limits.find(([keys]) => keys.test(key))?.[1]
        if (limit) expect([key, said.slice(0, limit)]).toEqual([key, said])
      }
    })

  for (const language of languages.filter((one) => one !== 'en'))
    test(`the bot's sentences in ${language} are not the English ones`, () => {
      const english: Record<string, string> = chatTextsIn('en')
      const same = Object.entries(chatTextsIn(language))
        .filter(([key, text]) => text.includes(' ') && text === english[key])
        .map(([key]) => key)
      expect(same).toEqual([])
    })
})

test('days are written as readers of each language write them', () => {
  expect(dayInWords('2026-01-05', 'en')).toEqual({ day: '5 January', weekday: 'Monday' })
  expect(dayInWords('2026-01-05', 'fr')).toEqual({ day: '5 janvier', weekday: 'lundi' })
  expect(fullDay(new Date(1_700_000_000_000), 'en')).toBe('14 November 2023')
  expect(fullDay(new Date(Number.NaN), 'en')).toBe('')
})
