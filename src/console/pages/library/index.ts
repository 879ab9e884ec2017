import { Elysia } from 'elysia'
import type { ConsoleDeps } from '../../http/context.ts'
import { aiDraftPages } from './ai-drafts/ai-draft.tsx'
import { suggestionPages } from './ai-drafts/suggestion.tsx'
import { blockPages } from './block.tsx'
import { commentPages } from './comments/actions.tsx'
import { declinedPages } from './declined.tsx'
import { newBlockPages } from './edit/new-block.tsx'
import { editPages } from './edit/page.tsx'
import { savedFilterPages } from './filters/saved-filters.tsx'
import { libraryListPages } from './list.tsx'
import { reviewPages } from './review/actions.tsx'
import { bulkReviewPages } from './review/bulk.tsx'

/** All routes below `/library`. */
export const libraryPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(libraryListPages(deps))
    .use(bulkReviewPages(deps))
    .use(reviewPages(deps))
    .use(declinedPages(deps))
    .use(blockPages(deps))
    .use(commentPages(deps))
    .use(savedFilterPages(deps))
    .use(newBlockPages(deps))
    .use(editPages(deps))
    .use(aiDraftPages(deps))
    .use(suggestionPages(deps))
