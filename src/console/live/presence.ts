import { findMembers } from '../../features/members/index.ts'
import type { Now } from '../../lib/clock.ts'
import { type Change, sendChange } from '../../lib/database/changes.ts'
import type { Sql } from '../../lib/database/db.ts'
import { newId } from '../../lib/ids.ts'
import type { LiveConnection } from './connection.ts'

type Viewers = Extract<Change, { topic: 'viewers' }>
interface Place {
  teamId: string
  newsletterId: string
}

const expiryMs = 45_000
const mostMembers = 100

/** The newsletter that a page shows, if any. */
const placeOf = ({ teamId, newsletterId }: LiveConnection): Place | null =>
  newsletterId === null ? null : { teamId, newsletterId }

/** Who has a newsletter open, over all processes. Nothing of it is stored. */
export function createPresence(sql: Sql, now: Now, connections: ReadonlySet<LiveConnection>) {
  const process = newId('pr', now())
  /** The members in other processes, by newsletter and process. */
  const elsewhere = new Map<string, Map<string, { members: readonly string[]; until: number }>>()

  /** By newsletter: resolves when the names that are being loaded were sent. */
  const loading = new Map<string, Promise<void>>()
  /** The newsletters whose names are loaded once more. */
  const repeated = new Set<string>()

  const keyOf = ({ teamId, newsletterId }: Pick<LiveConnection, 'teamId' | 'newsletterId'>) =>
    `${teamId} ${newsletterId}`
  const pagesOf = (place: Place) => [...connections].filter((one) => keyOf(one) === keyOf(place))
  const membersHere = (place: Place) =>
    [...new Set(pagesOf(place).map((one) => one.memberId))].slice(0, mostMembers)
  const membersElsewhere = (place: Place) =>
    [...(elsewhere.get(keyOf(place))?.values() ?? [])]
      .filter(({ until }) => until > now().getTime())
      .flatMap(({ members }) => members)

  /** Shows each page the names of the others. */
  const showNow = async (place: Place) => {
    const present = new Set([...membersHere(place), ...membersElsewhere(place)])
    const ctx = { sql, actor: { teamId: place.teamId } }
    const viewers = await findMembers(ctx, [...present].slice(0, mostMembers))
    for (const page of pagesOf(place)) {
      const names = viewers.filter(({ id }) => id !== page.memberId).map(({ name }) => name)
      page.send('viewers', names)
    }
  }
  /** While names are loaded, at most one more load is planned: pages that open together share it. */
  const show = async (place: Place) => {
    const key = keyOf(place)
    if (pagesOf(place).length === 0 || repeated.has(key)) return
    const isLoading = loading.has(key)
    if (isLoading) repeated.add(key)
    const current = (loading.get(key) ?? Promise.resolve()).then(() => {
      repeated.delete(key)
      return showNow(place)
    })
    const settled = current.catch(() => {})
    loading.set(key, settled)
    await current
    if (loading.get(key) === settled) loading.delete(key)
  }
  const announce = async (place: Place, ask: boolean) => {
    await sendChange(sql, {
      topic: 'viewers',
      team: place.teamId,
      newsletter: place.newsletterId,
      process,
      members: membersHere(place),
      ask,
    })
  }
  return {
    async enter(page: LiveConnection) {
      const place = placeOf(page)
      if (!place) return
      await announce(place, true)
      await show(place)
    },
    async leave(page: LiveConnection) {
      const place = placeOf(page)
      if (!place) return
      await announce(place, false)
      await show(place)
    },
    /** Another process says who has a newsletter open there. */
    async receive(viewers: Viewers) {
      if (viewers.process === process) return
      const place = { teamId: viewers.team, newsletterId: viewers.newsletter }
      if (pagesOf(place).length === 0) return
      const processes = elsewhere.get(keyOf(place)) ?? new Map()
      elsewhere.set(keyOf(place), processes)
      processes.set(viewers.process, {
        members: viewers.members,
        until: now().getTime() + expiryMs,
      })
      if (viewers.ask) await announce(place, false)
      await show(place)
    },
    /** Says again who is here, and forgets those of processes that were lost. */
    async renew() {
      const open = [...connections].flatMap((one) => placeOf(one) ?? [])
      const places = new Map(open.map((place) => [keyOf(place), place]))
      for (const key of elsewhere.keys()) if (!places.has(key)) elsewhere.delete(key)
      for (const place of places.values()) {
        await announce(place, false)
        await show(place)
      }
    },
  }
}
