import { sampleBlock, sampleNewsletter } from '../sample-newsletter.ts'
import { company, picture } from './companies.ts'

const starters = [
  [
    'Grace Hopper',
    'Rear Admiral',
    'Grace starts in Compilers in Arlington on Monday, 5 January.',
    true,
  ],
  [
    'Hank Hire',
    'Senior Developer',
    'Hank starts in Engineering in Berlin on Monday, 4 January.',
    false,
  ],
  ['Yuki Tanaka', 'Customer Success Manager', 'Yuki starts in Tokyo on Monday, 12 January.', true],
  [
    'Bartholomäus Wolfeschlegelsteinhausen',
    'Werkstudent',
    'Bartholomäus starts remotely on 12 January.',
    false,
  ],
  [
    'Ana María Fernández',
    'Head of People',
    'Ana María starts in Madrid on Monday, 2 February.',
    true,
  ],
] as const

/** New starters with and without portraits, a spotlight, and dates. */
export const newFaces = sampleNewsletter(
  [
    ...starters.map(([name, job, body, portrait]) =>
      sampleBlock({
        title: `${name} joins as ${job}`,
        block_type: 'new_starter',
        body: `<p>${body}</p>`,
        image_url: portrait ? picture(`portrait-${name.slice(0, 3).toLowerCase()}`) : null,
        image_alt: portrait ? name : null,
        image_size: 'small',
      }),
    ),
    sampleBlock({
      title: 'Five questions for the night shift',
      block_type: 'team_spotlight',
      image_url: picture('landscape-team'),
      image_alt: 'Four people around a kettle',
      image_size: 'full_width',
      author: 'People team',
      source_url: 'https://wiki.lantern.example/night-shift',
      body: '<p><b>What do you do at 4 in the morning?</b> “Mostly we wait. Then we do not wait at all.”</p><p><b>What should the day know about the night?</b> “Write it down. At 4 nobody answers the phone.”</p>',
    }),
    sampleBlock({
      title: 'Winter gathering',
      block_type: 'event_announcement',
      event_date: '2026-12-18',
      body: '<p>Doors open at 18:00 in the old customs house. Bring a dish, a guest, or both.</p>',
      source_url: 'https://events.lantern.example/winter',
    }),
    sampleBlock({
      title: 'First-aid course, eight places left',
      block_type: 'event_announcement',
      event_date: '2027-01-09',
      body: '<p>First-aid course, eight places left</p>',
    }),
  ],
  {
    title: 'New faces',
    subject_line: 'Five people start in January',
    preheader_text: 'And one party before that',
    team: company('Lantern Street', '#8b5cf6', true),
    date: '2026-12-01',
    intro:
      '<p>Hello from the people team. Five colleagues join us after the winter break; the first two sit next to the plants.</p>',
    cover: {
      image_url: picture('wide-party'),
      image_alt: 'Colleagues at a long table',
      color: null,
    },
    archive_url: 'https://tidings.lantern.example/archive/1',
  },
)

/** One new starter and one event: groups of one. */
export const singleWelcome = sampleNewsletter(
  [
    sampleBlock({
      title: 'Mateo Lindqvist joins as Data Engineer',
      block_type: 'new_starter',
      image_url: picture('portrait-mateo'),
      image_alt: 'Mateo Lindqvist',
      image_size: 'small',
      author: 'People team',
      body: '<p>Mateo starts in Data in Porto on Tuesday, 1 December. Before that he ran the observatory in La Silla, and he will happily tell you which of the two had the better coffee.</p>',
      source_url: 'https://hr.lantern.example/mateo',
    }),
    sampleBlock({
      title: 'Data breakfast',
      block_type: 'event_announcement',
      event_date: '2026-12-02',
      body: '<ul><li>09:00 Croissants</li><li>09:30 Mateo shows the sky</li></ul>',
    }),
  ],
  {
    title: 'Hello, Mateo',
    subject_line: 'Hello, Mateo',
    team: { name: 'Data', brand_color: '#c2410c' },
    date: '2026-11-27',
  },
)
