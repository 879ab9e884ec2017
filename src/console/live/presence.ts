import { findMembers } from '../../features/members/index.ts'
import type { Now } from '../../lib/clock.ts'
import { createSharedReads } from '../../lib/concurrency/shared-reads.ts'
import { type ChangeMessage, sendChange } from '../../lib/database/changes.ts'
import type { Sql } from '../../lib/database/db.ts'
import { newId } from '../../lib/ids.ts'
import type { LiveConnection } from './connection.ts'

type Viewers = Extract<ChangeMessage, { topic: 'viewers' }>
interface OpenNewsletter {
  teamId: string
  newsletterId: string
}

const expiryMs = 45_000
const maxMembers = 100

/** The newsletter that a page shows, if any. */
const newsletterOf = ({ teamId, newsletterId }: LiveConnection): OpenNewsletter | null =>
  newsletterId === null ? null : { teamId, newsletterId }

const keyOf = ({ teamId, newsletterId }: Pick<LiveConnection, 'teamId' | 'newsletterId'>) =>
  `${teamId} ${newsletterId}`

/** Who has a newsletter open, over all processes. Nothing of it is stored. */
export function createPresence(sql: Sql, now: Now, connections: ReadonlySet<LiveConnection>) {
  const process = newId('pr', now())
  const elsewhere = createRemoteMembers(now)
  const pagesOf = (newsletter: OpenNewsletter) =>
    [...connections].filter((one) => keyOf(one) === keyOf(newsletter))
  const membersHere = (newsletter: OpenNewsletter) =>
    [...new Set(pagesOf(newsletter).map((one) => one.memberId))].slice(0, maxMembers)
  /** Shows each page the names of the others; pages that open together share a read of the names. */
  const sendNames = createSharedReads({
    keyOf,
    async read([newsletter]: readonly [OpenNewsletter, ...OpenNewsletter[]]) {
      const present = new Set([...membersHere(newsletter), ...elsewhere.list(newsletter)])
      const ctx = { sql, actor: { teamId: newsletter.teamId } }
      const viewers = await findMembers(ctx, [...present].slice(0, maxMembers))
      for (const page of pagesOf(newsletter)) {
        const names = viewers.filter(({ id }) => id !== page.memberId).map(({ name }) => name)
        page.send('viewers', names)
      }
    },
  })
  const show = async (newsletter: OpenNewsletter) => {
    if (pagesOf(newsletter).length > 0) await sendNames(newsletter)
  }
  const announce = async (newsletter: OpenNewsletter, { ask }: Pick<Viewers, 'ask'>) => {
    await sendChange(sql, {
      topic: 'viewers',
      team: newsletter.teamId,
      newsletter: newsletter.newsletterId,
      process,
      members: membersHere(newsletter),
      ask,
    })
  }
  return {
    async enter(page: LiveConnection) {
      const newsletter = newsletterOf(page)
      if (!newsletter) return
      await announce(newsletter, { ask: true })
      await show(newsletter)
    },
    async leave(page: LiveConnection) {
      const newsletter = newsletterOf(page)
      if (!newsletter) return
      await announce(newsletter, { ask: false })
      await show(newsletter)
    },
    /** Another process says who has a newsletter open there. */
    async receive(viewers: Viewers) {
      if (viewers.process === process) return
      const newsletter = { teamId: viewers.team, newsletterId: viewers.newsletter }
      if (pagesOf(newsletter).length === 0) return
      elsewhere.set(newsletter, viewers)
      if (viewers.ask) await announce(newsletter, { ask: false })
      await show(newsletter)
    },
    /** Announces again who is here, and removes those of processes that have ended. */
    async renew() {
      const open = [...connections].flatMap((one) => newsletterOf(one) ?? [])
      const newsletters = new Map(open.map((newsletter) => [keyOf(newsletter), newsletter]))
      elsewhere.deleteExcept(newsletters)
      for (const newsletter of newsletters.values()) {
        await announce(newsletter, { ask: false })
        await show(newsletter)
      }
    },
  }
}

/** The members who have newsletters open in other processes, as these have announced it last. */
function createRemoteMembers(now: Now) {
  /** By newsletter and process. */
  const announced = new Map<string, Map<string, { members: readonly string[]; until: number }>>()
  return {
    list: (newsletter: OpenNewsletter) =>
      [...(announced.get(keyOf(newsletter))?.values() ?? [])]
        .filter(({ until }) => until > now().getTime())
        .flatMap(({ members }) => members),
    set(newsletter: OpenNewsletter, { process, members }: Pick<Viewers, 'process' | 'members'>) {
      const processes = announced.get(keyOf(newsletter)) ?? new Map()
      announced.set(keyOf(newsletter), processes)
      processes.set(process, { members, until: now().getTime() + expiryMs })
    },
    deleteExcept(open: ReadonlyMap<string, unknown>) {
      for (const key of announced.keys()) if (!open.has(key)) announced.delete(key)
    },
  }
}
