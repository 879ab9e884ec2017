import * as v from 'valibot'
import { draftToReview } from '../../../integrations/kit/chat/draft-to-review.ts'
import type {
  BotReply,
  OutgoingMessage,
} from '../../../integrations/kit/chat/messages/messaging.ts'
import type { TeamApi } from '../../../integrations/kit/team-api.ts'
import type { ChatMessage } from '../../features/chat-messages/index.ts'
import { getBlock } from '../../features/content-blocks/index.ts'
import { listRoles } from '../../features/contributors/index.ts'
import { ReplyName } from '../../features/conversations/index.ts'
import { listReviewedDrafts } from '../../features/draft-reviews/index.ts'
import { getNewsletter } from '../../features/newsletters/index.ts'
import { findPrompt, hasReplied, isAsking } from '../../features/prompts/index.ts'
import { dayMs } from '../../lib/clock.ts'
import type { LinkContext } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'

/**
 * What a message says now. Content is read when the message is sent, so that it never says what is no
 * longer true; a string is the reason why nothing is left to say.
 */
export async function messageContentOf(
  ctx: LinkContext,
  message: ChatMessage,
  team: TeamApi,
): Promise<OutgoingMessage | string> {
  switch (message.kind) {
    case 'published':
      return await publishedContent(ctx, message)
    case 'declined':
      return (await exists(ctx, message.subject))
        ? 'The block was restored.'
        : { kind: 'declined', title: message.data['title'] ?? '' }
    case 'review':
      return await reviewContent(ctx, message)
    case 'prompt':
      return await promptContent(ctx, message)
    case 'reminder':
      return await reminderContent(ctx, message)
    case 'reply':
      return { kind: 'reply', reply: await replyOf(team, message) }
  }
}

async function publishedContent(
  ctx: LinkContext,
  { connection_id: connectionId, recipient: userId, subject }: ChatMessage,
): Promise<OutgoingMessage | string> {
  const newsletter = await optional(getNewsletter(ctx, subject))
  if (newsletter?.status !== 'sent') return 'The newsletter is not sent any more.'
  const { title, archive_url: url, blocks } = newsletter
  const contents = blocks.map(({ content_block }) => content_block)
  const blockIds = contents.map(({ id }) => id)
  const { contributed, thanked } = await listRoles(ctx, { connectionId, userId, blockIds })
  if (contributed.size + thanked.size === 0) return 'The newsletter has no news of the person.'
  const titlesOf = (roles: ReadonlySet<string>) =>
    contents.filter(({ id }) => roles.has(id)).map((block) => block.title)
  return {
    kind: 'published',
    newsletter: { title, url },
    contributed: titlesOf(contributed),
    // Who wrote the text knows that it thanks them.
    thanked: titlesOf(thanked.difference(contributed)),
  }
}

async function reviewContent(
  ctx: LinkContext,
  { id: messageId, connection_id: connectionId }: ChatMessage,
): Promise<OutgoingMessage> {
  const drafts = await listReviewedDrafts(ctx, { connectionId, messageId })
  return { kind: 'review', drafts: drafts.map((draft) => draftToReview(ctx.baseUrl, draft)) }
}

/** A question or a reminder that could not be sent for so long is left out. */
const lateMs = dayMs

async function promptContent(
  ctx: LinkContext,
  { id: messageId, connection_id: connectionId, status }: ChatMessage,
): Promise<OutgoingMessage | string> {
  const prompt = await findPrompt(ctx, { connectionId, messageId })
  if (!prompt) return 'The question is not known any more.'
  const { question, muted_at, muted_by, created_at } = prompt
  if (status !== 'sent') {
    if (ctx.now().getTime() - created_at.getTime() > lateMs)
      return 'It is too late for the question.'
    if (muted_at !== null || !(await isAsking(ctx, { connectionId })))
      return 'The questions were switched off.'
  }
  const muted = muted_at === null ? null : { by: muted_by }
  return { kind: 'prompt', promptId: messageId, question, muted }
}

async function reminderContent(
  ctx: LinkContext,
  { connection_id: connectionId, recipient: userId, data }: ChatMessage,
): Promise<OutgoingMessage | string> {
  const promptId = data['prompt'] ?? ''
  const prompt = await findPrompt(ctx, { connectionId, messageId: promptId })
  if (!prompt || ctx.now().getTime() - prompt.created_at.getTime() > lateMs)
    return 'It is too late for the reminder.'
  if (prompt.muted_at !== null || !(await isAsking(ctx, { connectionId })))
    return 'The questions were switched off.'
  if (await hasReplied(ctx, { connectionId, userId, askedAt: prompt.created_at }))
    return 'The person has sent something in the meantime.'
  return { kind: 'reminder', promptId, question: prompt.question }
}

/** What the bot says; "what became of my news" and the next newsletter are read now. */
async function replyOf(team: TeamApi, { data, recipient }: ChatMessage): Promise<BotReply> {
  const name = v.parse(ReplyName, data['reply'])
  switch (name) {
    case 'cancelled':
    case 'form':
    case 'unread':
      return { type: name }
    case 'mine': {
      const submissions = await team.submissions(data['user'] ?? recipient)
      return { type: 'submissions', submissions }
    }
    case 'next':
      return { type: 'next', next: await team.nextNewsletter() }
    case 'status':
      return { type: 'status', counts: await team.counts(), next: await team.nextNewsletter() }
    default:
      return { type: 'question', question: name, inChannel: data['to'] === 'channel' }
  }
}

const exists = async (ctx: LinkContext, blockId: string) =>
  (await optional(getBlock(ctx, blockId))) !== undefined

/** A result, or undefined for something that does not exist. */
async function optional<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}
