import type { ContentBlock } from '../../../contract/blocks/content-block.ts'

/** A block that a GitHub release became. */
export const exampleBlock = {
  id: 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
  title: 'Version 2 is out',
  body: '<p>Search is twice as fast.</p>',
  body_format: 'html',
  block_type: 'wins_milestones',
  status: 'draft',
  source: 'webhook',
  event_slug: null,
  image_url: null,
  image_alt: null,
  image_size: null,
  image_focal_x: null,
  image_focal_y: null,
  origin: {
    provider: 'github',
    external_id: 'github:release:123',
    url: 'https://github.com/acme/web/releases/tag/v2.0.0',
    author: null,
  },
  publish_after: null,
  api_key_name: 'GitHub',
  version: 1,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
} satisfies ContentBlock
