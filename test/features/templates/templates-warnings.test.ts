import { describe, expect, test } from 'bun:test'
import {
  previewWarnings,
  type RenderableBlock,
  type RenderableNewsletter,
} from '../../../src/features/newsletters/index.ts'
import {
  realisticNewsletter,
  sampleBlock,
  sampleNewsletter,
} from '../../support/sample-newsletter.ts'

describe('Warnings about a newsletter', () => {
  const at = new Date('2026-11-20T09:00:00Z')
  const warningsOf = (issue: RenderableNewsletter, bytes = 1000) =>
    previewWarnings(issue, { bytes }, () => at)
  const codesOf = (block: Partial<RenderableBlock>) =>
    warningsOf(sampleNewsletter([sampleBlock(block)])).map(({ code }) => code)

  test('a newsletter without problems has no warnings', () => {
    expect(warningsOf(realisticNewsletter, 102 * 1024)).toEqual([])
  })

  test('a newsletter that Gmail would cut off and a missing subject lead to warnings', () => {
    expect(warningsOf({ ...realisticNewsletter, subject_line: ' ' }, 102 * 1024 + 1)).toEqual([
      {
        code: 'missing_subject',
        message: 'The subject line is missing.',
        target: 'subject_line',
      },
      {
        code: 'too_long_for_gmail',
        target: null,
        message:
          'The email has 103 KB. Gmail cuts off what is beyond 102 KB; remove or shorten a block.',
      },
    ])
  })

  test('drafts and blocks under embargo lead to warnings', () => {
    expect(codesOf({ status: 'draft' })).toEqual(['draft_block'])
    expect(codesOf({ publish_after: '2026-11-20T09:00:01Z' })).toEqual(['embargoed_block'])
    expect(codesOf({ publish_after: at })).toEqual([])
  })

  test('images that are left out or have no alternative text lead to warnings', () => {
    expect(codesOf({ image_url: 'http://a.example/i.png' })).toEqual(['image_not_shown'])
    expect(codesOf({ body: 'x<img src="https://a.example/i.png">' })).toEqual([
      'image_without_text',
    ])
    expect(codesOf({ body: '<img src="https://a.example/i.png" alt="A chart">' })).toEqual([
      'image_without_text',
    ])
    expect(codesOf({ body: 'x<img src="https://a.example/i.png" alt="A chart">' })).toEqual([])
  })

  test.each([
    '<a href="">x</a>',
    '<a href="#">x</a>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="http:/a.example">x</a>',
    '<a href="https:a.example">x</a>',
    '<a href="https://">x</a>',
    '<a href="http://https://a.example">x</a>',
    '<a href="https://a.example/one two">x</a>',
    '<a href="www.a.example">x</a>',
    '<a href="/handbook">x</a>',
    '<a href="mailto:">x</a>',
    '<a href="tel:">x</a>',
  ])('name the broken link %s', (body) => {
    expect(codesOf({ body })).toEqual(['broken_link'])
  })

  test('an invalid link in plain text leads to a warning that says what to correct', () => {
    const body = 'See http:/a.example or www.b.example or https://c.example/www.d'
    const messages = warningsOf(sampleNewsletter([sampleBlock({ body, body_format: 'text' })]))
    expect(messages.map(({ message }) => message)).toEqual([
      'The link “http:/a.example” in “Search is twice as fast” needs two slashes after https:.',
      'The link “www.b.example” in “Search is twice as fast” has no https:// in front of its address.',
    ])
  })

  test.each([
    ['http://', 'has no website in its address'],
    ['http:///a.example', 'needs two slashes after https:'],
    ['https:a.example', 'needs two slashes after https:'],
  ])('the link %s leads to a warning that says it %s', (address, fault) => {
    const body = `<a href="${address}">x</a>`
    const [warning] = warningsOf(sampleNewsletter([sampleBlock({ body })]))
    expect(warning?.message).toBe(`The link “x” in “Search is twice as fast” ${fault}.`)
  })

  test('a link whose text shows another address leads to a warning', () => {
    const body = '<a href="https://evil.example/">https://bank.example/login</a>'
    expect(codesOf({ body })).toEqual(['misleading_link'])
    expect(codesOf({ body: '<a href="https://bank.example/">www.bank.example</a>' })).toEqual([])
  })
})
