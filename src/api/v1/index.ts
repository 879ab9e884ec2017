import { BlockChange, NewBlock } from '../../contract/block-input.ts'
import { ContentBlock } from '../../contract/content-block.ts'
import { IngestPayload } from '../../contract/ingest.ts'
import { Newsletter, NewsletterBlock, NewsletterSummary } from '../../contract/newsletter.ts'
import { NewNewsletter, NewsletterChange } from '../../contract/newsletter-input.ts'
import { PageMeta } from '../list.ts'
import type { Operation } from '../operation.ts'
import { draftContentBlock } from './ai-drafts.ts'
import {
  createContentBlock,
  deleteContentBlock,
  listContentBlocks,
  showContentBlock,
  updateContentBlock,
} from './content-blocks.ts'
import { listTeamEvents, showEvent } from './events.ts'
import {
  addNewsletterBlock,
  composeNewsletterOperation,
  removeNewsletterBlock,
  reorderNewsletterBlocks,
} from './newsletter-blocks.ts'
import {
  createNewsletterOperation,
  deleteNewsletterOperation,
  listNewslettersOperation,
  showNewsletter,
  updateNewsletterOperation,
} from './newsletters.ts'
import { ping } from './ping.ts'
import { sendPreviewOperation, showPreview } from './previews.ts'
import { showTeam } from './team.ts'
import { listTeamTemplates, showTemplate } from './templates.ts'
import { ingest } from './webhooks.ts'

/** Schemas that the OpenAPI document refers to by name, where it would else repeat them. */
export const namedSchemas = {
  requests: { IngestPayload, NewBlock, BlockChange, NewNewsletter, NewsletterChange },
  answers: { ContentBlock, Newsletter, NewsletterSummary, NewsletterBlock, PageMeta },
}

/** Every operation of the API's first version, in the order the documentation shows them. */
export const operations: readonly Operation[] = [
  ping,
  showTeam,
  ingest,
  listContentBlocks,
  draftContentBlock,
  showContentBlock,
  createContentBlock,
  updateContentBlock,
  deleteContentBlock,
  listTeamEvents,
  showEvent,
  listNewslettersOperation,
  showNewsletter,
  createNewsletterOperation,
  updateNewsletterOperation,
  deleteNewsletterOperation,
  addNewsletterBlock,
  reorderNewsletterBlocks,
  removeNewsletterBlock,
  composeNewsletterOperation,
  showPreview,
  sendPreviewOperation,
  listTeamTemplates,
  showTemplate,
]
