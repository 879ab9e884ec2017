import type { IngestPayload } from '../../contract/blocks/ingest.ts'

/** An item, and the provider that it seems to come from. */
export type DemoNews = IngestPayload & { provider: 'slack' | 'github' | 'bamboohr' }

/** The items of the newsletter that the demo team has sent. */
export const sentNews: readonly DemoNews[] = [
  {
    provider: 'slack',
    title: 'Harbour Bank renews for three years',
    body: '<p>After a long summer of questions, <strong>Harbour Bank</strong> signed on Tuesday. Thank you to Mina and Joris, who answered the last 140 of them.</p>',
    block_type: 'wins_milestones',
    author: 'Mina Okafor',
  },
  {
    provider: 'github',
    title: 'Lighthouse 4.1',
    body: '<p>Reports load in under a second, and exports keep their filters.</p><ul><li>Faster reports</li><li>Filters in exports</li><li>14 smaller fixes</li></ul>',
    block_type: 'wins_milestones',
    source_url: 'https://example.com/lighthouse/releases/4.1',
  },
  {
    provider: 'slack',
    title: 'The lift is back',
    body: 'The lift in building B runs again. Thank you for the patience, and for the calves.',
    block_type: 'general',
  },
]

/** The items that were received since and are not reviewed yet. */
export const freshNews: readonly DemoNews[] = [
  {
    provider: 'slack',
    title: 'Support answers within the hour',
    body: '<p>Nine out of ten questions had an answer within 60 minutes in October. In spring it was every second one.</p>',
    block_type: 'wins_milestones',
    author: 'Tomás Rivera',
  },
  {
    provider: 'github',
    title: 'Lighthouse 4.2',
    body: '<p>Dashboards can be shared by link.</p><ul><li>Links that expire</li><li>Dark charts in dark mode</li></ul>',
    block_type: 'wins_milestones',
    source_url: 'https://example.com/lighthouse/releases/4.2',
  },
  {
    provider: 'github',
    title: 'Beacon 1.0 is out',
    body: '<p>The first release for everybody: alerts that say what to do, not only that something is wrong.</p>',
    block_type: 'wins_milestones',
    source_url: 'https://example.com/beacon/releases/1.0',
  },
  {
    provider: 'bamboohr',
    title: 'Welcome, Ines',
    body: '<p>Ines Halloran joins Customer Success in Lisbon on Monday. She has run a bakery and a newsroom, in that order.</p>',
    block_type: 'new_starter',
  },
  {
    provider: 'slack',
    title: 'Winter break: when the office is closed',
    body: '<p>The office is closed from 24 December to 1 January. Please hand over what cannot wait by the 20th.</p>',
    block_type: 'general',
    event_slug: 'winter-break',
  },
  {
    provider: 'slack',
    title: 'Thank you, night shift',
    body: 'The move of the data centre took eleven hours and nobody outside noticed. That was the plan.',
    block_type: 'wins_milestones',
    author: 'Priya Raman',
  },
]
