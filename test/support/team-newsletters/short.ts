import { sampleBlock, sampleNewsletter } from '../sample-newsletter.ts'
import { company, picture } from './companies.ts'

/** One story with a picture and two briefs: a week in which little happened. */
export const quietWeek = sampleNewsletter(
  [
    sampleBlock({
      title: 'The warehouse in Ghent is open',
      body: '<p>The first van left at 06:40 on Monday. By Friday the team had sent 1,900 parcels, and the old hall in Antwerp has its last week in front of it.</p><p>If you visit, bring warm socks.</p>',
      image_url: picture('wide-warehouse'),
      image_alt: 'Two people open the gate of a warehouse',
      image_size: 'full_width',
      author: 'Lotte Janssens',
      source_url: 'https://wiki.northbound.example/ghent',
    }),
    sampleBlock({
      title: 'Coffee machine on floor 2 is back',
      body: '<p>Coffee machine on floor 2 is back</p>',
      author: 'Facilities',
    }),
    sampleBlock({
      title: 'Expense claims for November close on Friday',
      body: '<p>Expense claims for November close on Friday</p>',
      author: 'Finance',
    }),
  ],
  {
    title: 'Northbound weekly',
    subject_line: 'Ghent is open',
    preheader_text: 'First parcels, and a coffee machine',
    team: company('Northbound Freight', '#0b6e4f', true),
    date: '2026-11-20',
  },
)

/** A single announcement by the person who leads the company. */
export const announcement = sampleNewsletter(
  [
    sampleBlock({
      title: 'We are joining Meridian',
      block_type: 'ceo_update',
      author: 'Ines Okafor',
      body: '<p>Yesterday evening we signed an agreement to become part of Meridian. You hear it here first; customers and press hear it at noon.</p><p>What changes for you this year: nothing. Same team, same product, same desks. What changes next year is what we have asked for since spring, a sales team in the countries where our customers already are.</p><blockquote><p>We bought a team. The product came with it.</p></blockquote><p>I am in the kitchen until six, and every question is welcome. The answers to the first thirty are on <a href="https://wiki.halcyon.example/meridian">this page</a>.</p>',
      source_url: 'https://wiki.halcyon.example/meridian',
    }),
  ],
  {
    title: 'A note from Ines',
    subject_line: 'We are joining Meridian',
    team: company('Halcyon', '#111827'),
    date: '2026-11-17',
    cover: { image_url: null, image_alt: null, color: '#1e3a8a' },
  },
)

/** Thanks of a week, as chat delivers them: quotations with and without author, in a bright brand color. */
export const kudosWall = sampleNewsletter(
  [
    ['Kudos to Bob Marsh for staying up all night', 'Ada Brandt'],
    ['Thank you Priya for the calmest outage call we ever had 🙏', 'Tomás Rivera'],
    [
      'Thanks to the whole support team: 900 answers in five days, and not one that I would be ashamed of',
      null,
    ],
    ['Kudos to Wei for the onboarding guide', 'Grace Adeyemi'],
  ].map(([words, author]) =>
    sampleBlock({
      title: `${words}`,
      body: `<p>${words}</p>`,
      author: author ?? null,
      block_type: 'wins_milestones',
      source_url: author === 'Ada Brandt' ? 'https://chat.sunny.example/p1' : null,
    }),
  ),
  {
    title: 'Thank-you notes',
    subject_line: 'Who helped whom this week',
    preheader_text: 'Four notes',
    team: company('Sunny Side Software', '#ffd400'),
    date: '2026-11-20',
    intro: '<p>Four notes that people sent this week. Send yours with <code>/kudos</code>.</p>',
  },
)
