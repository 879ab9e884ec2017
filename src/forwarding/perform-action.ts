import type { ActionResult, ChatPerson } from '../../integrations/kit/chat/messaging.ts'
import type { Composed } from '../../integrations/kit/composed.ts'
import { setWantsMessages } from '../features/contributors/index.ts'
import { decideDraft, memberOfPerson, type ReviewResult } from '../features/draft-reviews/index.ts'
import { memberActor } from '../features/members/index.ts'
import { systemContext } from '../lib/context.ts'
import type { DeliveryContext, ForwardingDeps } from './deps.ts'
import type { DeliveryResult } from './post-items.ts'

type Action = Extract<Composed, { kind: 'action' }>
type ReviewAction = Extract<Action['action'], { type: 'review' }>

/** Does what a person of a chat asked for with a button. A repeated call returns the same result. */
export async function performAction(
  deps: ForwardingDeps,
  { connection }: DeliveryContext,
  { action, person }: Action,
): Promise<DeliveryResult> {
  const { sql, now } = deps
  const ctx = systemContext({ sql, now }, connection.teamId)
  const ref = { connectionId: connection.id, userId: person.id }
  if (action.type === 'messages') {
    await setWantsMessages(ctx, ref, action.wanted)
    const reason = action.wanted ? 'A person wants messages again.' : 'A person wants no messages.'
    return {
      outcome: { status: 'ignored', reason },
      action: { outcome: 'messages', wanted: action.wanted },
    }
  }
  const member = await memberOfPerson(ctx, { connectionId: connection.id, person })
  if (!member || member.role === 'viewer') {
    const reason = `${person.name} may not review: no editor or admin has this account.`
    const result = { outcome: 'not_allowed', isViewer: member !== undefined } as const
    return { outcome: { status: 'ignored', reason }, action: result }
  }
  const actor = memberActor({ ...member, team_id: connection.teamId }, null)
  const review = { ...ref, ...action, reviewer: { userId: person.id, name: person.name } }
  const result = await decideDraft({ ...deps, actor }, review)
  return resultOf(action, result, person)
}

function resultOf(
  { decision, blockId }: ReviewAction,
  result: ReviewResult,
  { name }: ChatPerson,
): DeliveryResult {
  const action = actionResult(decision, result)
  if (result.outcome !== 'decided') {
    return { outcome: { status: 'ignored', reason: reasonOf(result) }, action }
  }
  const isApproved = decision === 'approved'
  const reason = `${isApproved ? 'Approved' : 'Declined'} by ${name}.`
  const blockIds = isApproved ? [blockId] : []
  return { outcome: { status: 'delivered', blockIds, reason }, action }
}

function actionResult(wanted: ReviewAction['decision'], result: ReviewResult): ActionResult {
  switch (result.outcome) {
    case 'decided':
      return { ...result, decision: wanted }
    case 'decided_before': {
      const { title, decision, reviewer } = result
      return { outcome: 'decided_before', title, wanted, decision, by: reviewer?.userId ?? null }
    }
    case 'in_newsletter':
    case 'missing':
      return result
  }
}

function reasonOf(result: Exclude<ReviewResult, { outcome: 'decided' }>): string {
  if (result.outcome === 'in_newsletter') return result.reason
  return result.outcome === 'missing' ? 'The draft was deleted.' : 'It was reviewed before.'
}
