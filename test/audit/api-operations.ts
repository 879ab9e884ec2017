import { direct, type OperationCase, type RecordedOperation, recorded } from './operation.ts'
import {
  eventFields,
  filledNewsletter,
  firstDraft,
  newBlock,
  newEvent,
  newNewsletter,
  newsletterWithElement,
  newTemplate,
  readyNewsletter,
  templateFields,
  text,
} from './preparation.ts'

/** Every operation of the API that changes data. */
export const apiOperations: Record<string, OperationCase | readonly RecordedOperation[]> = {
  'POST /api/v1/webhooks/ingest': 'The block records its key and its source.',
  'POST /api/v1/webhooks/ingest/bulk': 'Each block records its key and its source.',
  'POST /api/v1/content_blocks': direct(['block_created'], ({ api }) =>
    api('POST', '/content_blocks', text),
  ),
  'PATCH /api/v1/content_blocks/:id': [
    recorded(['block_updated'], newBlock, ({ api }, id) =>
      api('PATCH', `/content_blocks/${id}`, { title: 'Another title' }),
    ),
    recorded(['block_reviewed'], newBlock, ({ api }, id) =>
      api('PATCH', `/content_blocks/${id}`, { status: 'ready' }),
    ),
  ],
  'DELETE /api/v1/content_blocks/:id': recorded(['block_deleted'], newBlock, ({ api }, id) =>
    api('DELETE', `/content_blocks/${id}`),
  ),
  'POST /api/v1/content_blocks/ai_draft': recorded(['block_created'], firstDraft, ({ api }) =>
    api('POST', '/content_blocks/ai_draft', { context: 'We signed Harbour Bank.' }),
  ),
  'POST /api/v1/events': direct(['event_created'], ({ api }) =>
    api('POST', '/events', { ...eventFields, slug: 'open-day-by-key' }),
  ),
  'PATCH /api/v1/events/:slug': recorded(['event_updated'], newEvent, ({ api }, slug) =>
    api('PATCH', `/events/${slug}`, { name: 'Another day' }),
  ),
  'DELETE /api/v1/events/:slug': recorded(['event_deleted'], newEvent, ({ api }, slug) =>
    api('DELETE', `/events/${slug}`),
  ),
  'POST /api/v1/images': direct(['image_uploaded'], async ({ api }) => {
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    return await api('POST', '/images', { image: `data:image/png;base64,${pixel}` })
  }),
  'PATCH /api/v1/team': direct(['team_changed'], ({ api }) =>
    api('PATCH', '/team', { language: 'de' }),
  ),
  'POST /api/v1/newsletters': direct(['newsletter_created'], ({ api }) =>
    api('POST', '/newsletters', { title: 'News' }),
  ),
  'PATCH /api/v1/newsletters/:id': [
    recorded(['newsletter_updated'], newNewsletter, ({ api }, id) =>
      api('PATCH', `/newsletters/${id}`, { title: 'Other news' }),
    ),
    recorded(['newsletter_sent'], readyNewsletter, ({ api }, id) =>
      api('PATCH', `/newsletters/${id}`, { status: 'sent' }),
    ),
  ],
  'DELETE /api/v1/newsletters/:id': recorded(['newsletter_deleted'], newNewsletter, ({ api }, id) =>
    api('DELETE', `/newsletters/${id}`),
  ),
  'POST /api/v1/newsletters/:id/blocks': recorded(
    ['newsletter_updated'],
    async (setup) => ({ id: await newNewsletter(setup), blockId: await newBlock(setup) }),
    ({ api }, { id, blockId }) =>
      api('POST', `/newsletters/${id}/blocks`, { content_block_id: blockId }),
  ),
  'PATCH /api/v1/newsletters/:id/blocks/reorder': recorded(
    ['newsletter_updated'],
    filledNewsletter,
    ({ api }, { id, blockIds }) =>
      api('PATCH', `/newsletters/${id}/blocks/reorder`, { block_ids: blockIds.toReversed() }),
  ),
  'DELETE /api/v1/newsletters/:id/blocks/:newsletter_block_id': recorded(
    ['newsletter_updated'],
    filledNewsletter,
    ({ api }, { id, blockIds }) => api('DELETE', `/newsletters/${id}/blocks/${blockIds[0]}`),
  ),
  'POST /api/v1/newsletters/:id/compose': recorded(
    ['newsletter_updated'],
    async (setup) => {
      await newBlock(setup, 'ready')
      return await newNewsletter(setup)
    },
    ({ api }, id) => api('POST', `/newsletters/${id}/compose`, {}),
  ),
  'POST /api/v1/newsletters/:id/elements': recorded(
    ['newsletter_updated'],
    newNewsletter,
    ({ api }, id) => api('POST', `/newsletters/${id}/elements`, { type: 'divider' }),
  ),
  'PATCH /api/v1/newsletters/:id/elements/:element_id': recorded(
    ['newsletter_updated'],
    newsletterWithElement,
    ({ api }, { id, element }) =>
      api('PATCH', `/newsletters/${id}/elements/${element}`, { heading: 'What shipped' }),
  ),
  'DELETE /api/v1/newsletters/:id/elements/:element_id': recorded(
    ['newsletter_updated'],
    newsletterWithElement,
    ({ api }, { id, element }) => api('DELETE', `/newsletters/${id}/elements/${element}`),
  ),
  'PATCH /api/v1/newsletters/:id/arrangement': recorded(
    ['newsletter_updated'],
    filledNewsletter,
    ({ api }, { id, blockIds }) =>
      api('PATCH', `/newsletters/${id}/arrangement`, { ids: blockIds.toReversed() }),
  ),
  'POST /api/v1/templates': direct(['template_created'], ({ api }) =>
    api('POST', '/templates', templateFields),
  ),
  'PATCH /api/v1/templates/:slug': recorded(['template_updated'], newTemplate, ({ api }, slug) =>
    api('PATCH', `/templates/${slug}`, { name: 'Quieter' }),
  ),
  'DELETE /api/v1/templates/:slug': recorded(['template_deleted'], newTemplate, ({ api }, slug) =>
    api('DELETE', `/templates/${slug}`),
  ),
  'POST /api/v1/newsletters/:id/send_preview': recorded(
    ['preview_sent'],
    newNewsletter,
    ({ api }, id) => api('POST', `/newsletters/${id}/send_preview`, {}),
  ),
}
