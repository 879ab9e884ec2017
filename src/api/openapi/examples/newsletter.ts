import type { Newsletter, NewsletterSummary } from '../../../contract/newsletters/newsletter.ts'

/** A newsletter as a list shows it. */
export const exampleSummary = {
  id: 'nl_019a9f3e2b7c7d10a3b4c5d6e7f80912',
  title: 'November news',
  subject_line: 'What November brought',
  preheader_text: 'Two releases and a new colleague',
  status: 'in_progress',
  scheduled_date: '2026-11-30',
  template_slug: 'clean',
  cover_image_url: null,
  cover_image_alt: null,
  cover_focal_x: null,
  cover_focal_y: null,
  cover_color: '#0f766e',
  intro: '<p>Good morning.</p>',
  closing: null,
  table_of_contents: null,
  blocks_count: 1,
  version: 2,
  sent_at: null,
  archive_url: null,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:31:00.000Z',
} satisfies NewsletterSummary

/** The same newsletter with its block and its section. */
export const exampleNewsletter = {
  ...exampleSummary,
  blocks: [
    {
      id: 'nb_019a9f3f41c57e02b1d2c3b4a5968778',
      position: 1,
      content_block: {
        id: 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
        title: 'Version 2 is out',
        block_type: 'wins_milestones',
        status: 'ready',
      },
    },
  ],
  elements: [
    {
      id: 'ne_019a9f3f41c57e02b1d2c3b4a5968778',
      type: 'section',
      before_position: 1,
      heading: 'What shipped',
      body: null,
      options: null,
    },
  ],
} satisfies Newsletter
