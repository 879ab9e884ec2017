import type { ActionResult } from '../../integrations/kit/chat/actions.ts'
import type { ChatPerson } from '../../integrations/kit/chat/messages/messaging.ts'
import type { Composed } from '../../integrations/kit/composed.ts'
import { createAccountLink } from '../features/chat-accounts/index.ts'
import { updateMessage } from '../features/chat-messages/index.ts'
import { setWantsMessages, setWantsReminders } from '../features/contributors/index.ts'
import {
  decideDraft,
  type EditResult,
  editDraft,
  findMemberOfPerson,
  type ReviewResult,
} from '../features/draft-reviews/index.ts'
import { memberActor } from '../features/members/index.ts'
import { findPrompt, setPromptMuted } from '../features/prompts/index.ts'
import { type Context, inTransaction, systemContext } from '../lib/context.ts'
import type { DeliveryResult } from './deliveries/post-items.ts'
import type { DeliveryContext, ForwardingDeps } from './deps.ts'

type Action = Extract<Composed, { kind: 'action' }>
type ActionOf<Type> = Extract<Action['action'], { type: Type }>

/** Does what a person of a chat asked for with a button. A repeated call returns the same result. */
export async function performAction(
  deps: ForwardingDeps,
  { connection, adapter, context }: DeliveryContext,
  { action, person }: Action,
): Promise<DeliveryResult> {
  const { sql, now } = deps
  const ctx = systemContext({ sql, now }, connection.teamId)
  const ref = { connectionId: connection.id, userId: person.id }
  if (isOwn(action)) {
    const options = adapter.messaging?.options(context.settings)
    return await performOwn(
      ctx,
      { ...ref, isOffForTeam: options?.notifiesContributors === false },
      action,
    )
  }
  const member = await findMemberOfPerson(ctx, { connectionId: connection.id, person })
  if (!member || member.role === 'viewer') {
    const reason = `${person.name} may not do this: no editor or admin has this account.`
    const isViewer = member !== undefined
    const linkUrl = isViewer
      ? null
      : await linkFor(deps, { ...ref, teamId: ctx.actor.teamId, person })
    const outcome = action.type === 'edit' ? 'edit_not_allowed' : 'not_allowed'
    return ignored(reason, { outcome, isViewer, linkUrl })
  }
  const actor = memberActor({ ...member, team_id: connection.teamId }, null)
  const acting = { ...deps, actor }
  if (action.type === 'prompts') return await mutePrompts(acting, { ...ref, action, person })
  if (action.type === 'edit')
    return editResult(await editDraft(acting, { ...ref, ...action }), person)
  const review = { ...ref, ...action, reviewer: { userId: person.id, name: person.name } }
  return reviewResult(action, await decideDraft(acting, review), person)
}

type OwnAction = ActionOf<'answer' | 'messages' | 'reminders'>

/** Whether an action concerns nobody but the person. */
const isOwn = (action: Action['action']): action is OwnAction =>
  ['answer', 'messages', 'reminders'].includes(action.type)

async function performOwn(
  ctx: Context,
  { isOffForTeam, ...ref }: { connectionId: string; userId: string; isOffForTeam: boolean },
  action: OwnAction,
): Promise<DeliveryResult> {
  switch (action.type) {
    case 'answer':
      return ignored('The bot replies to a person.', { outcome: 'answer', about: action.about })
    case 'messages': {
      await setWantsMessages(ctx, { ...ref, wanted: action.wanted })
      const wish = action.wanted ? 'messages again' : 'no messages'
      return ignored(`A person wants ${wish}.`, {
        outcome: 'messages',
        wanted: action.wanted,
        isOffForTeam,
      })
    }
    case 'reminders': {
      await setWantsReminders(ctx, { ...ref, wanted: action.wanted })
      const wish = action.wanted ? 'reminders again' : 'no reminders'
      return ignored(`A person wants ${wish}.`, { outcome: 'reminders', wanted: action.wanted })
    }
  }
}

/** The page on which a person links their account; null for one that is deactivated. */
async function linkFor(
  { sql, now, baseUrl }: ForwardingDeps,
  {
    teamId,
    person,
    ...ref
  }: { teamId: string; connectionId: string; userId: string; person: ChatPerson },
): Promise<string | null> {
  if (!person.isActive) return null
  const ctx = systemContext({ sql, now, baseUrl }, teamId)
  return await createAccountLink(ctx, { ...ref, name: person.name })
}

const ignored = (reason: string, action: ActionResult): DeliveryResult => ({
  outcome: { status: 'ignored', reason },
  action,
})

/** Stops or starts the questions in the channel of a question, whose message says so afterwards. */
async function mutePrompts(
  ctx: Context & ForwardingDeps,
  {
    connectionId,
    action: { promptId: messageId, muted },
    person,
  }: { connectionId: string; action: ActionOf<'prompts'>; person: ChatPerson },
): Promise<DeliveryResult> {
  const prompt = await findPrompt(ctx, { connectionId, messageId })
  if (!prompt) return ignored('The question is not known any more.', { outcome: 'missing' })
  const by = { userId: person.id, name: person.name }
  await inTransaction(ctx, async (txCtx) => {
    await setPromptMuted(txCtx, { connectionId, channel: prompt.channel, muted, by })
    await updateMessage(txCtx, { messageId, connectionId })
  })
  const reason = `${person.name} has ${muted ? 'stopped' : 'started'} the questions in a channel.`
  return ignored(reason, { outcome: 'prompts', promptId: messageId, muted })
}

function editResult(result: EditResult, { name }: ChatPerson): DeliveryResult {
  if (result.outcome === 'edited') return ignored(`${name} has changed a draft.`, result)
  const reasons = {
    edit_conflict: 'Somebody has changed the draft before.',
    edit_reviewed: 'It was reviewed before.',
    edit_missing: 'The draft was deleted.',
  }
  return ignored(reasons[result.outcome], result)
}

function reviewResult(
  { decision, blockId }: ActionOf<'review'>,
  result: ReviewResult,
  { name }: ChatPerson,
): DeliveryResult {
  const action = actionResult(decision, result)
  if (result.outcome !== 'decided') return ignored(reasonOf(result), action)
  const isApproved = decision === 'approved'
  const reason = `${isApproved ? 'Approved' : 'Declined'} by ${name}.`
  const blockIds = isApproved ? [blockId] : []
  return { outcome: { status: 'delivered', blockIds, reason }, action }
}

function actionResult(wanted: ActionOf<'review'>['decision'], result: ReviewResult): ActionResult {
  switch (result.outcome) {
    case 'decided':
      return { ...result, decision: wanted }
    case 'changed':
    case 'in_newsletter':
    case 'missing':
      return result
    case 'decided_before': {
      const { title, decision, reviewer } = result
      return { outcome: 'decided_before', title, wanted, decision, by: reviewer?.userId ?? null }
    }
  }
}

function reasonOf(result: Exclude<ReviewResult, { outcome: 'decided' }>): string {
  switch (result.outcome) {
    case 'in_newsletter':
      return result.reason
    case 'missing':
      return 'The draft was deleted.'
    case 'changed':
      return 'The draft has changed since the person has read it.'
    case 'decided_before':
      return 'It was reviewed before.'
  }
}
