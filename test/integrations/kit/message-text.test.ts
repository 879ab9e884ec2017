import { describe, expect, test } from 'bun:test'
import { chatLocale } from '../../../integrations/discord/messages/format.ts'
import { conflictMessages } from '../../../integrations/kit/chat/action-replies.ts'
import { escapeForChat } from '../../../integrations/kit/chat/messages/escape-for-chat.ts'
import { messageContent } from '../../../integrations/kit/chat/messages/message-content.ts'

const locale = chatLocale('de')

describe('the texts of messages in chats', () => {
  test('a title that is too long ends with … between words, and never in the middle of an emoji', () => {
    const titled = (title: string) =>
      messageContent({ kind: 'declined', title }, locale).notification
    expect(titled(`${'Wort '.repeat(40)}Ende`)).toContain('Wort Wort…“')
    const people = '👩‍👩‍👧‍👦'.repeat(40)
    expect(titled(people)).toMatch(/„(?:👩‍👩‍👧‍👦)+…“/u)
    expect(titled('Kurz')).toContain('„Kurz“')
  })

  test('an address in a text stays the address that it is, and what is not an address is escaped', () => {
    const address = 'https://example.com/a_b_c/?q=x&y=1#top'
    expect(escapeForChat(`*Siehe* ${address} und a_b`)).toBe(`\\*Siehe\\* ${address} und a\\_b`)
    expect(escapeForChat('[x](https://example.com/a_b)')).toBe(
      '\\[x\\]\\(https://example.com/a_b\\)',
    )
    expect(escapeForChat('https://example.com/@here')).toBe('https://example.com/@\u200bhere')
  })

  test('a person gets all of a long text that was not saved back, in several messages', () => {
    const written = 'Ein *langer* Text 🎉 mit vielen Worten_ '.repeat(100)
    const conflict = { reason: 'Nicht gespeichert:', written, first: null }
    const messages = conflictMessages(conflict, { max: 2_000, format: locale.format })
    expect(messages.filter((message) => message.length > 2_000)).toEqual([])
    expect(messages[0]).toBe('Nicht gespeichert:')
    expect(messages.slice(1).join('')).toBe(locale.format.escape(written))
    const short = { ...conflict, written: 'Kurz_' }
    expect(conflictMessages(short, { max: 2_000, format: locale.format })).toEqual([
      'Nicht gespeichert:\n\nKurz\\_',
    ])
  })

  test.each([
    ['Was gibt es Neues', 'Was gibt es Neues. Du hast'],
    ['Was gibt es Neues?', 'Was gibt es Neues? Du hast'],
    ['Neues 🎉', 'Neues 🎉 Du hast'],
  ])('the question “%s” in a reminder is a sentence of its own', (question, start) => {
    const reminder = { kind: 'reminder', promptId: 'pm_1', question } as const
    expect(messageContent(reminder, locale).notification).toStartWith(start)
  })

  test('several items of a person are several in the sentence, also when the person is thanked', () => {
    const newsletter = { title: 'KW 48', url: null }
    const said = (contributed: string[]) =>
      messageContent({ kind: 'published', newsletter, contributed, thanked: ['Danke'] }, locale)
        .notification
    expect(said(['a'])).toContain('Dein Beitrag ist')
    expect(said(['a', 'b'])).toContain('Deine Beiträge sind')
  })
})
