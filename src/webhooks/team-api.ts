import type { TeamApi } from '../../integrations/kit/adapter.ts'
import { draftToReview } from '../../integrations/kit/chat/draft-to-review.ts'
import type { ChatPerson, DraftToReview } from '../../integrations/kit/chat/messaging.ts'
import type { Submission } from '../../integrations/kit/chat/team-news.ts'
import { createAccountLink } from '../features/chat-accounts/index.ts'
import type { DecryptedConnection } from '../features/connections/index.ts'
import { countByStatus, getBlock } from '../features/content-blocks/index.ts'
import { blocksOfPerson } from '../features/contributors/index.ts'
import { listDraftsToReview, memberOfPerson } from '../features/draft-reviews/index.ts'
import { findEvents } from '../features/events/index.ts'
import { nextNewsletter } from '../features/newsletters/index.ts'
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
  const blockIds = await blocksOfPerson(ctx, { connectionId: connection.id, userId })
  const receipts = await listReceiptsOf(ctx, { blockIds })
  return receipts.map(({ title, state, path }) => ({ title, state, url: ctx.baseUrl + path }))
}

/** How many drafts wait for a review, and how many blocks wait for a newsletter. */
async function countsOf({ ctx }: ConnectionContext): ReturnType<TeamApi['counts']> {
  const counts = await countByStatus(ctx)
  return { drafts: counts.get('draft') ?? 0, approved: counts.get('ready') ?? 0 }
}

/** The drafts that wait for a review, for a person who is an editor; otherwise null. */
async function draftsFor(
  { ctx, connection }: ConnectionContext,
  person: ChatPerson,
): Promise<DraftToReview[] | null> {
  const member = await memberOfPerson(ctx, { connectionId: connection.id, person })
  if (!member || member.role === 'viewer') return null
  const drafts = await listDraftsToReview(ctx)
  return drafts.map((draft) => draftToReview(ctx.baseUrl, draft))
}

/** A draft for a person who may change it. */
async function draftToEdit(
  { ctx, connection }: ConnectionContext,
  person: ChatPerson,
  blockId: string,
): ReturnType<TeamApi['draftToEdit']> {
  const member = await memberOfPerson(ctx, { connectionId: connection.id, person })
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
  const question = { ctx, connection }
  return {
    readsMessages,
    events: (search) => findEvents(ctx, { words: search, language: connection.language }),
    submissions: (user) => submissionsOf(question, user),
    nextNewsletter: () => nextNewsletter(ctx),
    counts: () => countsOf(question),
    draftToEdit: (person, blockId) => draftToEdit(question, person, blockId),
    accountLink: ({ user: userId, name }) =>
      createAccountLink(ctx, { connectionId: connection.id, userId, name }),
    prompts: () => listPrompts(ctx, { connectionId: connection.id, limit: shownPrompts }),
    draftsFor: (person) => draftsFor(question, person),
  }
}
