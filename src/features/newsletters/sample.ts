import type { RenderableBlock, RenderableNewsletter } from './rendering/sections.ts'

const block = (
  block_type: string,
  title: string,
  changes: Partial<RenderableBlock> = {},
): RenderableBlock => ({
  ...{ block_type, title, body: '', body_format: 'html', image_url: null, image_size: null },
  ...changes,
})

/** A newsletter with one of everything, for previews of templates. The team and the language are added. */
export const sampleNewsletter: Omit<RenderableNewsletter, 'team'> = {
  title: 'Harbour notes, November',
  subject_line: 'Harbour notes, November',
  preheader_text: 'A release, two new colleagues and a date for your diary',
  date: '2026-11-20',
  intro:
    '<p>Good morning. This is a sample: it shows what your newsletters look like with this template, and <a href="https://example.com">what a link looks like</a>.</p>',
  closing: '<p>See you in December.</p>',
  table_of_contents: true,
  blocks: [
    block('wins_milestones', 'Version 2.4 is out', {
      body: '<p>Search answers in 80 ms, and every page has a dark mode.</p><ul><li>Keyboard shortcuts in the library</li><li>Exports with images</li></ul>',
      source_url: 'https://example.com/releases/2.4',
      author: 'Priya Raman',
    }),
    block('new_starter', 'Mateo Lindqvist joins as Product Designer', {
      body: '<p>Mateo starts in Design on Monday. Ask him about sailing.</p>',
    }),
    block('new_starter', 'Ada Okafor joins as Data Engineer', {
      body: '<p>Ada starts in Platform, in Lisbon.</p>',
    }),
    block('wins_milestones', 'Kudos to Bob Marsh for staying until the last invoice was out', {
      body: '<p>Kudos to Bob Marsh for staying until the last invoice was out</p>',
      author: 'Ines Weber',
    }),
    block('event_announcement', 'Open day at the harbour', {
      body: '<p>Bring your family. There is soup.</p>',
      event_date: '2026-12-04',
    }),
    block('general', 'The lift works again', {
      body: '<p>It goes to the fourth floor, and back.</p>',
      source_url: 'https://example.com/lift',
    }),
  ],
  elements: [
    { type: 'section', heading: 'What shipped', before_position: 1 },
    { type: 'section', heading: 'New faces', before_position: 2 },
    { type: 'section', heading: 'Well done', before_position: 4 },
    { type: 'section', heading: 'Coming up', before_position: 5 },
    {
      type: 'callout',
      heading: 'Offices are closed',
      body: '<p>From 24 December to 1 January. Support is on call.</p>',
      before_position: 6,
    },
    { type: 'divider', before_position: 7 },
    {
      type: 'poll',
      heading: 'Where should the summer party be?',
      options: [
        { label: 'At the river', url: 'https://example.com/river' },
        { label: 'On the roof', url: 'https://example.com/roof' },
      ],
      before_position: 7,
    },
  ],
}
