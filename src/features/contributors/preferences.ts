import type { Context, ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { selectPerson, upsertWantsMessages, upsertWantsReminders } from './sql.ts'

/** A person of a chat. */
export interface PersonRef {
  connectionId: string
  userId: string
}

/** Whether a person wants messages from Tidings; people do unless they have said otherwise. */
export async function wantsMessages(
  { sql, actor }: ReadContext,
  person: PersonRef,
): Promise<boolean> {
  return (await withDeadline(selectPerson(sql, actor.teamId, person)))?.wants_messages ?? true
}

/** Whether a person wants to be reminded of questions; people do unless they have said otherwise. */
export async function wantsReminders(
  { sql, actor }: ReadContext,
  person: PersonRef,
): Promise<boolean> {
  return (await withDeadline(selectPerson(sql, actor.teamId, person)))?.wants_reminders ?? true
}

/** The id of the member whom a person has linked to their account in the chat; null when there is none. */
export async function findLinkedMember(
  { sql, actor }: ReadContext,
  person: PersonRef,
): Promise<string | null> {
  return (await withDeadline(selectPerson(sql, actor.teamId, person)))?.member_id ?? null
}

/** Stores whether a person wants messages from Tidings. */
export async function setWantsMessages(
  { sql, now, actor }: Context,
  { wanted, ...person }: PersonRef & { wanted: boolean },
): Promise<void> {
  const change = { wantsMessages: wanted, at: now() }
  await withDeadline(upsertWantsMessages(sql, actor.teamId, person, change))
}

/** Stores whether a person wants to be reminded of questions. */
export async function setWantsReminders(
  { sql, now, actor }: Context,
  { wanted, ...person }: PersonRef & { wanted: boolean },
): Promise<void> {
  const change = { wantsReminders: wanted, at: now() }
  await withDeadline(upsertWantsReminders(sql, actor.teamId, person, change))
}
