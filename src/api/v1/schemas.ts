import { DraftRequest } from '../../contract/ai-draft.ts'
import { BlockChange, NewBlock } from '../../contract/block-input.ts'
import {
  BulkIngestFailure,
  BulkIngestItem,
  BulkIngestPayload,
  BulkIngestResult,
  BulkIngestSuccess,
} from '../../contract/bulk-ingest.ts'
import { ConnectionStatus } from '../../contract/connection.ts'
import { ContentBlock, Origin } from '../../contract/content-block.ts'
import { CalendarEvent, EventWithBlocks, LinkedBlock } from '../../contract/event.ts'
import { EventChange, NewEvent } from '../../contract/event-input.ts'
import { Image, NewImage } from '../../contract/image.ts'
import { IngestPayload } from '../../contract/ingest.ts'
import { Member } from '../../contract/member.ts'
import {
  Newsletter,
  NewsletterBlock,
  NewsletterBlockSummary,
  NewsletterSummary,
} from '../../contract/newsletter.ts'
import {
  Arrangement,
  ElementChange,
  elementTypes,
  NewElement,
  NewsletterElement,
  PollOption,
} from '../../contract/newsletter-element.ts'
import {
  BlockOrder,
  BlockPlacement,
  Composition,
  NewNewsletter,
  NewsletterChange,
} from '../../contract/newsletter-input.ts'
import { Preview, PreviewReceipt, PreviewRequest } from '../../contract/preview.ts'
import { FieldError } from '../../contract/problem.ts'
import { Plan, Team, TeamChange, Usage, UsageCounter } from '../../contract/team.ts'
import {
  NewTemplate,
  Template,
  TemplateChange,
  TemplateSection,
  TemplateStyle,
} from '../../contract/template.ts'
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
