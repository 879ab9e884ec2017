import { Elysia } from 'elysia'
import type { ApiDeps } from '../deps.ts'
import { aiDrafts } from './ai-drafts.ts'
import { bulkIngest } from './bulk-ingest.ts'
import { connections } from './connections.ts'
import { contentBlocks } from './content-blocks.ts'
import { events } from './events.ts'
import { images } from './images.ts'
import { members } from './members.ts'
import { newsletterBlocks } from './newsletter-blocks.ts'
import { newsletterElements } from './newsletter-elements.ts'
import { newsletters } from './newsletters.ts'
import { ping } from './ping.ts'
import { previews } from './previews.ts'
import { team } from './team.ts'
import { templates } from './templates.ts'
import { webhooks } from './webhooks.ts'

/** Every route of the API's first version, in the order the documentation shows them. */
export const v1 = (deps: ApiDeps) =>
  new Elysia({ prefix: '/api/v1' })
    .use(ping(deps))
    .use(team(deps))
    .use(members(deps))
    .use(webhooks(deps))
    .use(bulkIngest(deps))
    .use(contentBlocks(deps))
    .use(aiDrafts(deps))
    .use(images(deps))
    .use(events(deps))
    .use(newsletters(deps))
    .use(newsletterBlocks(deps))
    .use(newsletterElements(deps))
    .use(previews(deps))
    .use(templates(deps))
    .use(connections(deps))
