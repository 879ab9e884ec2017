import { sampleBlock, sampleNewsletter } from '../sample-newsletter.ts'
import { company, picture } from './companies.ts'

const event = (title: string, event_date: string, body: string, changes = {}) =>
  sampleBlock({ title, event_date, body, block_type: 'event_announcement', ...changes })

/** A calendar with polls as buttons, callouts and dividers. */
export const eventsAndPolls = sampleNewsletter(
  [
    event(
      'All hands',
      '2026-12-03',
      '<p>16:00 in the canteen and on the stream. Questions until Wednesday.</p>',
      {
        source_url: 'https://events.orchard.example/all-hands',
        author: 'Ines Okafor',
      },
    ),
    event('Blood donation', '2026-12-08', '<p>Third floor, 10:00 to 15:00.</p>'),
    event(
      'Sommerfest-Organisationskomitee: Auftaktbesprechung und Verteilung der Verantwortlichkeiten',
      '2027-01-14',
      '<p>Room 4.</p>',
    ),
    sampleBlock({
      title: 'Which day should be meeting-free?',
      block_type: 'poll',
      source_url: 'https://forms.orchard.example/meeting-free-day',
      body: '<p>Two minutes, three options, open until Friday.</p>',
    }),
    sampleBlock({
      title: 'New rule for travel bookings',
      block_type: 'policy_change',
      body: '<p>From January, book trains and hotels in the portal; keep receipts <em>only</em> for meals.</p>',
      image_url: picture('square-train'),
      image_alt: 'A train at a platform',
      image_size: 'small',
      source_url: 'https://wiki.orchard.example/travel',
    }),
  ],
  {
    title: 'What is on in December',
    subject_line: 'Five dates and two questions',
    preheader_text: 'All hands on 3 December',
    team: company('Orchard Health', '#0f766e', true),
    date: '2026-11-27',
    cover: { image_url: null, image_alt: null, color: '#fde68a' },
    closing:
      '<p>Something is missing? Write to us, and it is in the next issue.</p><p>Your internal communications team</p>',
    elements: [
      { type: 'section', before_position: 1, heading: 'Dates' },
      {
        type: 'callout',
        before_position: 4,
        heading: 'The office is closed from 24 December to 1 January',
        body: '<p>Hand over what cannot wait by the 20th. Reception forwards urgent calls.</p>',
      },
      { type: 'section', before_position: 4, heading: 'Your opinion' },
      {
        type: 'poll',
        before_position: 5,
        heading: 'Where should the party be?',
        options: [
          { label: 'At the river', url: 'https://forms.orchard.example/1' },
          {
            label: 'On the roof, if it does not rain (and it always rains)',
            url: 'https://forms.orchard.example/2',
          },
          { label: 'In the canteen', url: 'https://forms.orchard.example/3' },
        ],
      },
      { type: 'divider', before_position: 5 },
    ],
    archive_url: 'https://tidings.orchard.example/archive/1',
  },
)
