import { createHash } from 'node:crypto'
import { draftToReview } from '../../integrations/kit/chat/draft-to-review.ts'
import type { ChatPerson } from '../../integrations/kit/chat/messages/messaging.ts'
import type { Submission } from '../../integrations/kit/chat/messages/team-news.ts'
import type { HomeContent, TeamApi } from '../../integrations/kit/team-api.ts'
import { createAccountLink } from '../features/chat-accounts/index.ts'
import { saveHome } from '../features/chat-homes/index.ts'
import type { DecryptedConnection } from '../features/connections/index.ts'
import { countByStatus, getBlock } from '../features/content-blocks/index.ts'
import { listBlocksOfPerson } from '../features/contributors/index.ts'
import { findUnreadText } from '../features/conversations/index.ts'
import {
  findMemberOfPerson,
  listDraftsToReview,
  maxListedDrafts,
} from '../features/draft-reviews/index.ts'
import { findEvents } from '../features/events/index.ts'
import { findNextNewsletter } from '../features/newsletters/index.ts'
import { listPrompts } from '../features/prompts/index.ts'
import { listReceiptsOf } from '../features/receipts/index.ts'
import { type LinkContext, systemContext } from '../lib/context.ts'
import { AppError } from '../lib/errors.ts'

/** What an adapter asks about a person and the team, for its replies in a chat. */
interface ConnectionContext {
  ctx: LinkContext
  connection: DecryptedConnection
}

/** The newest items of a person, with what became of them. */
async function submissionsOf(
  { ctx, connection }: ConnectionContext,
  userId: string,
): Promise<Submission[]> {
  const blockIds = await listBlocksOfPerson(ctx, { connectionId: connection.id, userId })
  const receipts = await listReceiptsOf(ctx, { blockIds })
  // What a person has withdrawn has no contributors any more.
  return receipts.flatMap(({ title, state, path }) =>
    state === 'withdrawn' ? [] : [{ title, state, url: ctx.baseUrl + path }],
  )
}

/** How many drafts wait for a review, and how many blocks wait for a newsletter. */
async function countsOf({ ctx }: ConnectionContext): ReturnType<TeamApi['counts']> {
  const counts = await countByStatus(ctx)
  return { drafts: counts.get('draft') ?? 0, approved: counts.get('ready') ?? 0 }
}

/** Whether a person is a member who may review. */
async function isEditor(
  { ctx, connection }: ConnectionContext,
  person: ChatPerson,
): Promise<boolean> {
  const member = await findMemberOfPerson(ctx, { connectionId: connection.id, person })
  return member !== undefined && member.role !== 'viewer'
}

/** What the home of a person shows, with a fingerprint that changes with it. */
async function homeOf(
  context: ConnectionContext,
  { userId, isEditor: isForEditor }: Parameters<TeamApi['home']>[0],
): Promise<HomeContent> {
  const { ctx, connection } = context
  const drafts = isForEditor ? await listDraftsToReview(ctx) : []
  const listed = { connectionId: connection.id, limit: shownPrompts }
  const content = {
    submissions: await submissionsOf(context, userId),
    next: await findNextNewsletter(ctx),
    editorial: isForEditor
      ? {
          drafts: drafts.map((draft) => draftToReview(ctx.baseUrl, draft)),
          allDraftsUrl:
            drafts.length < maxListedDrafts ? null : `${ctx.baseUrl}/library?status=draft`,
          prompts: await listPrompts(ctx, listed),
        }
      : null,
  }
  // The same home has the same fingerprint, also when another address of the service was used.
  const shown = JSON.stringify([connection.language, content]).replaceAll(ctx.baseUrl, '')
  const fingerprint = createHash('sha256').update(shown).digest('base64url')
  return { ...content, fingerprint }
}

/** A draft for a person who may change it. */
async function draftToEdit(
  { ctx, connection }: ConnectionContext,
  person: ChatPerson,
  blockId: string,
): ReturnType<TeamApi['draftToEdit']> {
  const member = await findMemberOfPerson(ctx, { connectionId: connection.id, person })
  if (!member) return 'not_linked'
  if (member.role === 'viewer') return 'viewer'
  try {
    const { id, version, title, body, body_format, status } = await getBlock(ctx, blockId)
    if (status !== 'draft') return 'missing'
    return { id, version, title, body, body_format, url: `${ctx.baseUrl}/library/${id}` }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return 'missing'
    throw error
  }
}

const shownPrompts = 3

/** What an adapter can ask about the team of a connection. */
export function teamApiOf(
  {
    readsMessages,
    ...base
  }: Pick<LinkContext, 'sql' | 'now' | 'baseUrl'> & Pick<TeamApi, 'readsMessages'>,
  connection: DecryptedConnection,
): TeamApi {
  const ctx = systemContext(base, connection.teamId)
  const context = { ctx, connection }
  return {
    readsMessages,
    events: (search) => findEvents(ctx, { words: search, language: connection.language }),
    submissions: (user) => submissionsOf(context, user),
    nextNewsletter: () => findNextNewsletter(ctx),
    counts: () => countsOf(context),
    draftToEdit: (person, blockId) => draftToEdit(context, person, blockId),
    accountLink: ({ user: userId, name }) =>
      createAccountLink(ctx, { connectionId: connection.id, userId, name }),
    unreadText: (userId) => findUnreadText(ctx, { connectionId: connection.id, userId }),
    isEditor: (person) => isEditor(context, person),
    home: (person) => homeOf(context, person),
    homeShown: (home) => saveHome(ctx, { connectionId: connection.id, ...home }),
  }
}
