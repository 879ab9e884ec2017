import { describe, expect, test } from 'bun:test'
import { chatTextsIn } from '../../integrations/kit/chat/locales/index.ts'
import { dayInWords, fullDay } from '../../integrations/kit/dates.ts'
import { type Language, languages } from '../../src/contract/vocabulary.ts'
import {
  formatMessage,
  languageOf,
  localeOf,
  messagesIn,
  parseMessage,
} from '../../src/locales/index.ts'

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
      const { day, weekday } = dayInWords('2026-01-05', language, new Date('2026-11-20T09:00:00Z'))
      for (const hasDepartment of ['yes', 'no'] as const)
        for (const where of ['office', 'remote', 'none'] as const)
          for (const hasDay of ['yes', 'no'] as const) {
            const values = { ...facts, hasDepartment, where, hasDay, day, weekday }
            const text = formatMessage(language, 'starts', {
              ...values,
              name: 'Grace',
              location: 'Bonn',
            })
            expect(text).toMatch(/^Grace.*[.。]$/)
            expect(text).not.toMatch(/\s{2}|\s[.,]|[{}]/)
          }
    })

  test('a message leaves markup in its arguments as it is', () => {
    const text = formatMessage('en', 'kudos_to', { text: "<b>O'Neil</b> {x}" })
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
  // The question before a button has an effect: https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object
  [/^(?:review_decline|prompts_off)_title$/, 100],
  [/^(?:review_decline|prompts_off)_text$/, 300],
  [/^(?:review_cancel|review_decline|prompts_off)$/, 30],
  [/^form_(?:everyone|written_by|image_hint|alt_hint)$/, 100],
]

/** An argument of ICU MessageFormat whose text depends on a number. */
const plural = /\{\w+, plural, ((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/g

const pluralsIn = (language: Language) =>
  Object.entries(chatTextsIn(language)).flatMap(([key, text]) =>
    [...text.matchAll(plural)].map(([, options = '']) => ({
      key,
      named: [...options.matchAll(/(=?\w+) \{/g)].map(([, name = '']) => name),
      hasNumber: options.includes('#'),
    })),
  )

describe('what the bot says', () => {
  /** A sentence may be the same for every number. */
  const namedIn = (text: string) =>
    [...argumentsIn(text)].filter((name) => name !== 'count').toSorted()
  const sample = { count: 7, blocks: 7, drafts: 7, approved: 7, max: 255 }

  for (const language of languages)
    test(`the bot's sentences in ${language} have the arguments of the English ones and fit their places`, () => {
      const english: Record<string, string> = chatTextsIn('en')
      for (const [key, text] of Object.entries(chatTextsIn(language))) {
        expect([key, namedIn(text)]).toEqual([key, namedIn(english[key] ?? '')])
        const names = Object.fromEntries(namedIn(text).map((name) => [name, 'Ada']))
        const said = String(parseMessage(text, localeOf(language)).format({ ...names, ...sample }))
        expect(said).not.toMatch(/[{}]|undefined|\s{2}/)
        const limit = Math.min(...limits.filter(([keys]) => keys.test(key)).map(([, most]) => most))
        if (said.length > limit) expect([key, said.slice(0, limit)]).toEqual([key, said])
      }
    })

  for (const language of languages)
    test(`numbers in the bot's sentences in ${language} have each plural form of the language`, () => {
      const rules = new Intl.PluralRules(language)
      const forms = new Set<string>(Array.from({ length: 200 }, (_, count) => rules.select(count)))
      // `other` is the form of all numbers that have none of their own.
      const atMost = forms.has('other') ? 0 : 1
      for (const { key, named, hasNumber } of pluralsIn(language)) {
        const missing = [...forms].filter((form) => !named.includes(form))
        expect([key, hasNumber ? missing.slice(atMost) : []]).toEqual([key, []])
        const own = named.filter((name) => !/^(?:=\d+|other)$/.test(name))
        expect([key, [...forms]]).toEqual([key, expect.arrayContaining(own)])
      }
    })

  /** What opens and closes a quotation in each language. */
  const quotes = {
    en: '“”',
    de: '„“',
    fr: '«»',
    es: '«»',
    pt: '“”',
    nl: '‘’',
    it: '«»',
    pl: '„”',
    sv: '””',
    ja: '「」',
  }
  for (const language of languages)
    test(`titles in the bot's sentences in ${language} are in the quotation marks of the language`, () => {
      const [opening = '', closing = ''] = quotes[language]
      for (const [key, text] of Object.entries(chatTextsIn(language))) {
        expect([key, text]).toEqual([key, expect.not.stringMatching(/"|'/)])
        for (const [, before, after] of text.matchAll(
          /(\S) ?\{(?:title|newsletter|question)\} ?(\S)/g,
        ))
          expect([key, before, after]).toEqual([key, opening, closing])
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
  const now = new Date('2026-11-20T09:00:00Z')
  expect(dayInWords('2026-01-05', 'en', now)).toEqual({ day: '5 January', weekday: 'Monday' })
  expect(dayInWords('2026-01-05', 'fr', now)).toEqual({ day: '5 janvier', weekday: 'lundi' })
  expect(fullDay(new Date(1_700_000_000_000), 'en')).toBe('14 November 2023')
  expect(fullDay(new Date(Number.NaN), 'en')).toBe('')
})

test('a day in another year than the present one has its year, in every language', () => {
  const now = new Date('2026-11-20T09:00:00Z')
  const inWords = languages.map((language) => [
    language,
    dayInWords('2027-01-22', language, now).day,
  ])
  expect(Object.fromEntries(inWords)).toEqual({
    en: '22 January 2027',
    de: '22. Januar 2027',
    fr: '22 janvier 2027',
    es: '22 de enero de 2027',
    it: '22 gennaio 2027',
    nl: '22 januari 2027',
    pt: '22 de janeiro de 2027',
    pl: '22 stycznia 2027',
    sv: '22 januari 2027',
    ja: '2027年1月22日',
  })
})
