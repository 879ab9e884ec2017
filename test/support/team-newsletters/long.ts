import { realisticNewsletter, sampleBlock, sampleNewsletter } from '../sample-newsletter.ts'
import { company, picture } from './companies.ts'

/** Every block type and the bodies on which layouts break, with a table of contents. */
export const everything = {
  ...realisticNewsletter,
  archive_url: 'https://tidings.lantern.example/archive/1',
}

/** A quarterly report of 20 blocks with long texts, as long as an email may be. */
export const quarterly = sampleNewsletter(
  Array.from({ length: 20 }, (_, at) =>
    sampleBlock({
      title: `${['Sales', 'Support', 'Engineering', 'Operations', 'People'][at % 5]}: ${['what we learned', 'the numbers', 'what comes next'][at % 3]}`,
      block_type:
        ['general', 'wins_milestones', 'ceo_update', 'learning_development'][at % 4] ?? '',
      author: at % 3 ? null : 'Mina Okafor',
      image_url: at % 6 ? null : picture('landscape-team'),
      image_alt: 'A team in a meeting room',
      image_size: at % 12 ? 'medium' : 'full_width',
      source_url: at % 5 ? null : 'https://wiki.meridian.example/q4',
      body: '<p>The quarter began with a backlog of 214 requests and ended with nine. Three changes did most of the work: one list instead of four, a person on duty who may say no, and a weekly hour in which nothing is estimated.</p><p>What did not work was the second attempt at a shared calendar. It is switched off, and nobody has noticed. <a href="https://wiki.meridian.example/q4/notes">The notes</a> say why.</p>',
    }),
  ),
  {
    title: 'The fourth quarter in full',
    subject_line: 'The fourth quarter in full',
    preheader_text: 'Twenty reports, eight minutes',
    team: company('Meridian Group Holding International', '#0b1f3a', true),
    date: '2026-12-31',
    intro:
      '<p>Everything that the departments wrote, unabridged. The table of contents is your friend.</p>',
    cover: { image_url: picture('wide-skyline'), image_alt: null, color: null },
    archive_url: 'https://tidings.meridian.example/archive/4',
  },
)
