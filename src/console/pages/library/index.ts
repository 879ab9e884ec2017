import { Elysia } from 'elysia'
import type { ConsoleDeps } from '../../http/context.ts'
import { blockPages } from './block.tsx'
import { draftPages } from './draft.tsx'
import { editPages } from './edit.tsx'
import { libraryListPages } from './list.tsx'
import { reviewPages } from './review.tsx'

/** Everything under `/library`. */
export const libraryPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(libraryListPages(deps))
    .use(reviewPages(deps))
    .use(blockPages(deps))
    .use(editPages(deps))
    .use(draftPages(deps))
