import { DraftRequest } from '../../contract/blocks/ai-draft.ts'
import {
  BulkIngestFailure,
  BulkIngestItem,
  BulkIngestPayload,
  BulkIngestResult,
  BulkIngestSuccess,
} from '../../contract/blocks/bulk-ingest.ts'
import { ContentBlock, Origin } from '../../contract/blocks/content-block.ts'
import { IngestPayload } from '../../contract/blocks/ingest.ts'
import { BlockChange, NewBlock } from '../../contract/blocks/input.ts'
import { ConnectionStatus } from '../../contract/connection.ts'
import { CalendarEvent, EventWithBlocks, LinkedBlock } from '../../contract/events/event.ts'
import { EventChange, NewEvent } from '../../contract/events/input.ts'
import { Image, NewImage } from '../../contract/image.ts'
import { Member } from '../../contract/member.ts'
import {
  Arrangement,
  ElementChange,
  elementTypes,
  NewElement,
  NewsletterElement,
  PollOption,
} from '../../contract/newsletters/element.ts'
import {
  BlockOrder,
  BlockPlacement,
  Composition,
  NewNewsletter,
  NewsletterChange,
} from '../../contract/newsletters/input.ts'
import {
  Newsletter,
  NewsletterBlock,
  NewsletterBlockSummary,
  NewsletterSummary,
} from '../../contract/newsletters/newsletter.ts'
import { Preview, PreviewReceipt, PreviewRequest } from '../../contract/newsletters/preview.ts'
import {
  NewTemplate,
  Template,
  TemplateChange,
  TemplateSection,
  TemplateStyle,
} from '../../contract/newsletters/template.ts'
import { FieldError } from '../../contract/problem.ts'
import { Plan, Team, TeamChange, Usage, UsageCounter } from '../../contract/team.ts'
import {
  archiveModes,
  blockSources,
  blockStatuses,
  blockTypes,
  bodyFormats,
  connectionStates,
  eventCategories,
  imageSizes,
  ingestFormats,
  languages,
  memberRoles,
  newsletterCadences,
  newsletterStatuses,
  scopes,
  templateBases,
  templateFonts,
} from '../../contract/vocabulary.ts'
import { PageMeta } from '../list.ts'

import { BulkIngestMeta, BulkIngestResponse } from './bulk-ingest.ts'
import { ConnectionList } from './connections.ts'
import { ContentBlockList, ContentBlockResponse } from './content-blocks.ts'
import { EventList, EventResponse } from './events.ts'
import { ImageResponse } from './images.ts'
import { MemberList } from './members.ts'
import { NewsletterBlockList, NewsletterBlockResponse } from './newsletter-blocks.ts'
import { ElementResponse } from './newsletter-elements.ts'
import { NewsletterList, NewsletterResponse } from './newsletters.ts'
import { ApiKey, PingResponse } from './ping.ts'
import { PreviewReceiptResponse, PreviewResponse } from './previews.ts'
import { TeamResponse } from './team.ts'
import { TemplateList, TemplateResponse } from './templates.ts'
import { IngestResponse } from './webhooks.ts'

/** Every schema of the OpenAPI document by its name there: generated clients name their types by it. */
export const namedSchemas = {
  requests: {
    IngestPayload,
    BulkIngestPayload,
    BulkIngestItem,
    NewBlock,
    BlockChange,
    DraftRequest,
    NewImage,
    NewEvent,
    EventChange,
    NewNewsletter,
    NewsletterChange,
    BlockPlacement,
    NewTemplate,
    TemplateChange,
    NewElement,
    PollOption,
    ElementChange,
    Arrangement,
    BlockOrder,
    Composition,
    PreviewRequest,
    TeamChange,
  },
  responses: {
    ConnectionStatus,
    ConnectionList,
    ContentBlock,
    Origin,
    ContentBlockResponse,
    ContentBlockList,
    IngestResult: IngestResponse,
    BulkIngestReport: BulkIngestResponse,
    BulkIngestMeta,
    BulkIngestResult,
    BulkIngestSuccess,
    BulkIngestFailure,
    Image,
    ImageResponse,
    Newsletter,
    NewsletterSummary,
    NewsletterResponse,
    NewsletterList,
    NewsletterBlock,
    NewsletterBlockSummary,
    NewsletterBlockResponse,
    ElementResponse,
    NewsletterElement,
    NewsletterBlockList,
    Preview,
    PreviewResponse,
    PreviewReceipt,
    PreviewReceiptResponse,
    Event: CalendarEvent,
    EventWithBlocks,
    LinkedBlock,
    EventResponse,
    EventList,
    Template,
    TemplateSection,
    TemplateStyle,
    TemplateResponse,
    TemplateList,
    Team,
    Plan,
    Usage,
    UsageCounter,
    TeamResponse,
    Member,
    MemberList,
    ApiKey,
    PingResult: PingResponse,
    FieldError,
    PageMeta,
  },
  values: {
    Scope: scopes,
    BlockType: blockTypes,
    BlockStatus: blockStatuses,
    BlockSource: blockSources,
    BodyFormat: bodyFormats,
    IngestFormat: ingestFormats,
    ImageSize: imageSizes,
    NewsletterStatus: newsletterStatuses,
    ElementType: elementTypes,
    TemplateBase: templateBases,
    TemplateFont: templateFonts,
    EventCategory: eventCategories,
    Language: languages,
    NewsletterCadence: newsletterCadences,
    ArchiveMode: archiveModes,
    MemberRole: memberRoles,
    ConnectionState: connectionStates,
  },
}
