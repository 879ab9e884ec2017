import { listMembers } from '../../features/members/index.ts'
import type { Now } from '../../lib/clock.ts'
import { type Change, sendChange } from '../../lib/database/changes.ts'
import type { Sql } from '../../lib/database/db.ts'
import { newId } from '../../lib/ids.ts'
import type { LiveConnection } from './connection.ts'

type Viewers = Extract<Change, { topic: 'viewers' }>
type Place = Pick<LiveConnection, 'teamId' | 'newsletterId'>

const expiryMs = 45_000
const mostMembers = 100

/** Who has a newsletter open, over all processes. Nothing of it is stored. */
export function createPresence(sql: Sql, now: Now, connections: ReadonlySet<LiveConnection>) {
  const process = newId('pr', now())
  /** The members in other processes, by newsletter and process. */
  const elsewhere = new Map<string, Map<string, { members: readonly string[]; until: number }>>()

  const keyOf = ({ teamId, newsletterId }: Place) => `${teamId} ${newsletterId}`
  const pagesOf = (place: Place) => [...connections].filter((one) => keyOf(one) === keyOf(place))
  const membersHere = (place: Place) =>
    [...new Set(pagesOf(place).map((one) => one.memberId))].slice(0, mostMembers)
  const membersElsewhere = (place: Place) =>
    [...(elsewhere.get(keyOf(place))?.values() ?? [])]
      .filter(({ until }) => until > now().getTime())
      .flatMap(({ members }) => members)

  /** Shows each page the names of the others. */
  const show = async (place: Place) => {
    const pages = pagesOf(place)
    if (pages.length === 0) return
    const present = new Set([...membersHere(place), ...membersElsewhere(place)])
    const members = await listMembers({ sql, actor: { teamId: place.teamId } })
    const viewers = members.filter(({ id }) => present.has(id)).slice(0, mostMembers)
    for (const page of pages) {
      const names = viewers.filter(({ id }) => id !== page.memberId).map(({ name }) => name)
      page.send('viewers', names)
    }
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
    async enter(place: Place) {
      await announce(place, true)
      await show(place)
    },
    async leave(place: Place) {
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
      const places = new Map([...connections].map((one) => [keyOf(one), one]))
      for (const key of elsewhere.keys()) if (!places.has(key)) elsewhere.delete(key)
      for (const place of places.values()) {
        await announce(place, false)
        await show(place)
      }
    },
  }
}
