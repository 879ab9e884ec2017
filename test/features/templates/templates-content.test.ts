import { describe, expect, test } from 'bun:test'
import type { Template } from '../../../src/contract/newsletters/template.ts'
import {
  type RenderableBlock,
  type RenderableNewsletter,
  renderNewsletter,
} from '../../../src/features/newsletters/index.ts'

import { growthOf, maxLinearGrowth } from '../../support/growth.ts'
import {
  composedNewsletter,
  sampleBlock,
  sampleNewsletter,
} from '../../support/sample-newsletter.ts'

describe('Sections of a newsletter', () => {
  const base = 'clean'
  const titles = (html: string, tag: string) =>
    [...html.matchAll(new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`, 'g'))].map(([, title]) => title)

  test('the text part keeps the indentation of a list with which a text begins', () => {
    const lists = [
      sampleBlock({ body: '<ul><li>one</li><li>two</li></ul>' }),
      sampleBlock({ body: '\n  • one\n  • two\n', body_format: 'text' }),
    ]
    const { text } = renderNewsletter({ base, sections: [] }, sampleNewsletter(lists))
    expect(text).toContain('\n\n * one\n * two\n\n')
    expect(text).toContain('\n\n  • one\n  • two\n\n')
  })

  test('sections come in the order of the template, and blocks without a section come last', () => {
    const sections: Template['sections'] = [
      { title: 'Second & third', block_types: ['poll', 'general'] },
      { title: 'Empty', block_types: ['ceo_update'] },
      { title: 'First', block_types: ['new_starter'] },
    ]
    const blocks = [
      sampleBlock({ title: 'a', block_type: 'new_starter' }),
      sampleBlock({ title: 'b', block_type: 'from_the_future' }),
      sampleBlock({ title: 'c', block_type: 'general' }),
      sampleBlock({ title: 'd', block_type: 'wins_milestones' }),
      sampleBlock({ title: 'e', block_type: 'poll' }),
    ]
    const { html, text } = renderNewsletter({ base, sections }, sampleNewsletter(blocks))
    expect(titles(html, 'h2')).toEqual(['Second &amp; third', 'First', 'More news'])
    expect(titles(html, 'h3')).toEqual(['c', 'e', 'a', 'b', 'd'])
    expect([...text.matchAll(/^(.*)\n=+$/gm)].map(([, title]) => title)).toEqual([
      'SECOND & THIRD',
      'FIRST',
      'MORE NEWS',
    ])
  })
})

describe('Bodies in a newsletter', () => {
  const bodyOf = (block: Partial<RenderableBlock>) => {
    const { html, text } = renderNewsletter(
      { base: 'clean', sections: [] },
      sampleNewsletter([sampleBlock(block)]),
    )
    return { html: /<div class="prose"[^>]*>(.*?)<\/div>/s.exec(html)?.[1] ?? '', text }
  }

  test('a body in plain text keeps its lines, and its links can be clicked', () => {
    const body = 'One <b>\r\ntwo\n\nSee https://a.example/x?a=1&b=(2). Or (https://b.example/).'
    const { html, text } = bodyOf({ body, body_format: 'text' })
    expect(html.replaceAll(/ style="[^"]*"/g, '')).toBe(
      '<p>One &lt;b&gt;<br />two</p><p>See <a href="https://a.example/x?a=1&amp;b=(2)">https://a.example/x?a=1&amp;b=(2)</a>. Or (<a href="https://b.example/">https://b.example/</a>).</p>',
    )
    expect(text).toContain('One <b>')
  })

  test('paragraphs and headings of the text part have one empty line between them', () => {
    const { text } = bodyOf({ body: 'One\n\n \n\n\nTwo', body_format: 'text' })
    expect(text).toContain('One\n\nTwo')
    const html = '<p>One</p><h2>Two</h2><p>&nbsp;</p><p></p><p>Three</p><br><br><pre>a\n  b</pre>'
    expect(bodyOf({ body: html }).text).toContain('One\n\nTwo\n\nThree\n\na\n  b')
  })

  test('a body in HTML becomes plain text with its links, lists and tables', () => {
    const body =
      '<h2>Plan</h2><p>Read <a href="https://a.example/">the plan</a>.</p><ul><li>one</li><li>two</li></ul><dl><dt>When</dt><dd>Now</dd></dl><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table><img src="https://a.example/i.png" alt="A chart"><p>a &lt; b</p>'
    const { text } = bodyOf({ body })
    expect(text).toContain('Read the plan [https://a.example/].')
    expect(text).toContain(' * one\n * two')
    const listFrom = (start: string) =>
      bodyOf({ body: `<ol start="${start}"><li>a</li></ol>` }).text
    expect(listFrom('7')).toContain(' 7. a')
    expect(listFrom('1e21')).toContain(' 1. a')
    expect(listFrom('9'.repeat(30))).toContain(' 1. a')
    expect(text).toContain('When\n\nNow')
    expect(text).toMatch(/A +B\n1 +2/)
    expect(text).toContain('[A chart]')
    expect(text).toContain('a < b')
    expect(text).not.toMatch(/<\/?[a-z]/)
  })

  test('words that were struck out are marked in the text part, and so are powers', () => {
    const struck = 'On <s>Monday</s> <del>noon</del> <strike>one</strike> two'
    const { html, text } = bodyOf({ body: `<p>${struck}, 10<sup>6</sup> m<sup>2</sup>.</p>` })
    expect(text).toContain('On ~Monday~ ~noon~ ~one~ two, 10^6 m^2.')
    expect(html).toContain('<s>one</s>')
    const list = bodyOf({ body: '<ul><li><s>done</s></li><li>open<s></s><sup></sup></li></ul>' })
    expect(list.text).toContain(' * ~done~\n * open\n')
  })

  test.each([
    ['10<sup>6</sup> km<sup>2</sup>, 12m<sup>2</sup>, x<sup>-3</sup>', '10^6 km^2, 12m^2, x^-3'],
    ['<b>10</b><sup>6</sup>, 10<i><sup><b>9</b></sup></i>', '10^6, 10^9'],
    ['(a+b)<sup>2</sup> is a<sup> 2 </sup>plus', '(a+b)^2 is a^2 plus'],
    ['10<sup>1.5</sup>, 10<sup>0,5</sup>, 2<sup>n</sup>', '10^1.5, 10^0,5, 2^n'],
    ['la 1<sup>a</sup>, o 2<sup>o</sup>, le 2<sup>e</sup>', 'la 1a, o 2o, le 2e'],
    ['the 1<sup>st</sup> and 2<sup>nd</sup> of May', 'the 1st and 2nd of May'],
    ['Acme<sup>™</sup>, Paul<sup>2</sup>', 'Acme™, Paul2'],
    ['5<br><b><sup>2</sup></b> below', '5\n2 below'],
  ])('in the text part, only a power has the mark of one: %s', (html, expected) => {
    expect(bodyOf({ body: `<p>See ${html}.</p>` }).text).toContain(`See ${expected}.`)
  })

  test('in the text part, the numbers of footnotes are in brackets, also after a year', () => {
    const notes = '<p><sup>1</sup> Measured.<br><sup>a</sup> On <em>two</em> phones.</p>'
    const body = `<p>Fast<sup>1</sup> in 2026<sup>a</sup>, 10<sup>6</sup>.</p>${notes}`
    const { text } = bodyOf({ body })
    expect(text).toContain('Fast [1] in 2026 [a], 10^6.')
    expect(text).toContain('[1] Measured.\n[a] On two phones.')
  })

  test.each([
    ['On<s> Monday </s>noon', 'On ~Monday~ noon'],
    ['a<s> <b>b </b></s>c', 'a ~b~ c'],
    ['a<s> </s>b<s><img src="https://a.example/i.png" alt="I"></s>c', 'a b[I]c'],
    ['<s>2<sup>nd</sup> <b>of</b> May</s>', '~2nd of May~'],
  ])('in the text part, the marks of struck words are at the words: %s', (html, expected) => {
    expect(bodyOf({ body: `<p>See ${html}.</p>` }).text).toContain(`See ${expected}.`)
  })

  test('headings of a body are below the title of its block, and keep their distance', () => {
    const body = '<h1>Plan</h1><h3>Details</h3><p>One</p>'
    const { html } = bodyOf({ title: 'A new office', body })
    expect(html.match(/<h\d|<\/h\d/g)).toEqual(['<h4', '</h4', '<h6', '</h6'])
    expect(html).toMatch(/<h4 style="[^"]*font-size:1.15em">Plan/)
  })

  test('a link whose text is its address is in the text part once', () => {
    const address = 'https://a.example/soup?a=1&amp;b=2'
    const body = `<p>Recipes (<a href="${address}">a.example/soup?a=1&amp;b=2</a>).</p>`
    expect(bodyOf({ body }).text).toContain('Recipes (https://a.example/soup?a=1&b=2).')
  })

  test('rendering a long word takes time in proportion to its length', async () => {
    const render = (length: number) => bodyOf({ body: `<p>${'a'.repeat(length)}</p>` })
    expect(await growthOf(render, 5_000)).toBeLessThan(maxLinearGrowth)
  })

  test('cells over several columns and rows are in one of each in the text part of a table in which they claim many, because each column takes time', () => {
    const textOf = (cells: number) =>
      bodyOf({ body: `<table><tr>${'<td colspan="20" rowspan="50">x</td>'.repeat(cells)}</table>` })
        .text
    expect(textOf(14)).toMatch(/x {19,}x/)
    expect(textOf(15)).toContain('x   x   x')
  })

  test('a body has inline styles for clients that drop style sheets', () => {
    const { html } = bodyOf({ body: '<p>a <a href="https://a.example">b</a></p><pre>c</pre>' })
    expect(html).toMatch(/<a href="https:\/\/a\.example" style="color:#[0-9a-f]{6};/)
    expect(html).toMatch(/<p style="margin:/)
    expect(html).toMatch(/<pre style="[^"]*white-space:pre-wrap/)
  })
})

describe('A composed newsletter', () => {
  const { html, text } = renderNewsletter({ base: 'clean', sections: [] }, composedNewsletter)
  const indexOf = (words: string) => html.lastIndexOf(words)

  test('a composed newsletter keeps sections, elements and blocks in the order of the team', () => {
    const order = [
      'Well done',
      'staying up all night.',
      'New faces',
      'Grace Hopper joins',
      'Closed from 24 December',
      'Winter gathering',
      'Where should the party be?',
      'On the roof',
      'See you in December.',
    ]
    expect(order.toSorted((one, other) => indexOf(one) - indexOf(other))).toEqual(order)
    expect(order.every((words) => html.includes(words))).toBe(true)
  })

  test('a heading directly below a divider has no second line above it', () => {
    const linesAbove = (elements: RenderableNewsletter['elements'] = []) => {
      const blocks = [sampleBlock({ title: 'a' }), sampleBlock({ title: 'b' })]
      const issue = { ...sampleNewsletter(blocks), elements }
      const { html } = renderNewsletter({ base: 'clean', sections: [] }, issue)
      return html.slice(0, html.indexOf('>Second<')).split('class="rule"').length - 1
    }
    const heading = (before_position: number, text: string) =>
      ({ type: 'section', heading: text, before_position }) as const
    const headings = [heading(1, 'First'), heading(2, 'Second')]
    expect(linesAbove(headings)).toBe(2)
    const divider = { type: 'divider', before_position: 2 } as const
    expect(linesAbove([heading(1, 'First'), divider, heading(2, 'Second')])).toBe(2)
  })

  test('a newsletter shows thanks as a quotation, a release with its version as plain text and an event with its day', () => {
    expect(html).toMatch(/class="bar"[^>]*>\s*<div class="prose"[^>]*><p[^>]*>Kudos to Bob/)
    expect(html).toMatch(/<h3[^>]*>tideline-web v2\.4\.0 is out/)
    expect(html).toMatch(/>Dec<\/td>.*?>18<\/td>/s)
    expect(text).toContain('> Kudos to Bob Marsh')
    expect(text).toContain('18 December 2026')
  })

  test('a newsletter shows new starters with a round portrait or their initials', () => {
    expect(html).toMatch(/<img class="portrait"[^>]*border-radius:32px/)
    expect(html).toMatch(/>ML<\/td>/)
    expect(html).toMatch(/>YT<\/td>/)
  })

  test('a newsletter has a table of contents without blocks that have no heading, and a footer with contact and links', () => {
    expect(text).toContain('In this issue:\n * tideline-web v2.4.0 is out\n * Grace Hopper')
    for (const address of [
      'mailto:news@lantern.example',
      'https://tidings.lantern.example/submit',
      'https://tidings.lantern.example/archive/1',
    ]) {
      expect(html).toContain(`href="${address}"`)
    }
    expect(text).toContain('Share your news: https://tidings.lantern.example/submit')
  })

  test('a layout with numbers has a table of contents and numbers from three headings on', () => {
    const numbered = (blocks: number) => {
      const issue = sampleNewsletter(Array.from({ length: blocks }, () => sampleBlock()))
      return renderNewsletter({ base: 'digest', sections: [] }, issue)
    }
    expect(numbered(2).text).not.toContain('In this issue')
    expect(numbered(2).html).not.toContain('1.&nbsp;')
    expect(numbered(3).text).toContain('In this issue')
    expect(numbered(3).html).toContain('1.&nbsp;')
  })

  test('the layout with buttons shows one for polls and for stories with a wide image only', () => {
    const link = { source_url: 'https://a.example/story' }
    // An image or a link of its own is not a button, which has a background.
    const buttonsOf = (changes: object) => {
      const issue = sampleNewsletter([sampleBlock({ ...link, ...changes })])
      const { html: page } = renderNewsletter({ base: 'bold', sections: [] }, issue)
      return page.match(/<a href="https:\/\/a\.example\/story"[^>]*background:/g)?.length ?? 0
    }
    const wide = { image_url: 'https://a.example/i.png' }
    expect([buttonsOf({}), buttonsOf(wide), buttonsOf({ ...wide, image_size: 'small' })]).toEqual([
      0, 1, 0,
    ])
    expect(buttonsOf({ block_type: 'poll' })).toBe(1)
  })

  test('a blocked portrait shows initials, and screen readers get its alternative text', () => {
    const portrait = { image_url: 'https://a.example/i.png', image_alt: 'Grace on a bridge' }
    const starter = {
      title: 'Grace Hopper joins',
      block_type: 'new_starter',
      image_size: 'small' as const,
    }
    const shown = sampleNewsletter([sampleBlock({ ...portrait, ...starter })])
    const { html: page } = renderNewsletter({ base: 'clean', sections: [] }, shown)
    expect(page).toMatch(/<img class="portrait"[^>]* alt="GH" aria-label="Grace on a bridge"/)
  })

  test('a newsletter has dark colors for Apple Mail and for Outlook.com', () => {
    expect(html).toContain('@media (prefers-color-scheme: dark)')
    expect(html).toContain('[data-ogsc] .text > div')
    expect(html).toContain('[data-ogsb] .page')
  })

  test('an option of a poll with an invalid link has no link', () => {
    const options = [{ label: 'x', url: 'javascript:alert(1)' }]
    const elements = [{ type: 'poll', before_position: 1, heading: 'Which?', options }] as const
    const rendered = renderNewsletter(
      { base: 'clean', sections: [] },
      sampleNewsletter([], { elements }),
    )
    expect(rendered.html).not.toContain('javascript:')
    expect(rendered.text).not.toContain('javascript:')
  })
})

describe('Colors of a newsletter', () => {
  const withStyle = (background_color: string) =>
    renderNewsletter(
      {
        base: 'clean',
        sections: [],
        style: {
          accent_color: '#ffd400',
          background_color,
          font: 'georgia',
          width: 640,
          corner_radius: 16,
          show_logo: false,
        },
      },
      composedNewsletter,
    ).html

  test('the colors follow the style of a template', () => {
    const html = withStyle('#eef4ff')
    expect(html).toContain('#eef4ff')
    expect(html).toContain('max-width:640px')
    expect(html).toContain('border-radius:16px')
    expect(html).not.toContain('logo.svg')
    expect(html).toContain('Georgia')
  })

  test('a background on which dark text is not readable is ignored', () => {
    expect(withStyle('#333333')).not.toContain('#333333')
  })
})
