import { findMembers } from '../../features/members/index.ts'
import type { Now } from '../../lib/clock.ts'
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
const mostMembers = 100

/** The newsletter that a page shows, if any. */
const newsletterOf = ({ teamId, newsletterId }: LiveConnection): OpenNewsletter | null =>
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
  const pagesOf = (newsletter: OpenNewsletter) =>
    [...connections].filter((one) => keyOf(one) === keyOf(newsletter))
  const membersHere = (newsletter: OpenNewsletter) =>
    [...new Set(pagesOf(newsletter).map((one) => one.memberId))].slice(0, mostMembers)
  const membersElsewhere = (newsletter: OpenNewsletter) =>
    [...(elsewhere.get(keyOf(newsletter))?.values() ?? [])]
      .filter(({ until }) => until > now().getTime())
      .flatMap(({ members }) => members)

  /** Shows each page the names of the others. */
  const showNow = async (newsletter: OpenNewsletter) => {
    const present = new Set([...membersHere(newsletter), ...membersElsewhere(newsletter)])
    const ctx = { sql, actor: { teamId: newsletter.teamId } }
    const viewers = await findMembers(ctx, [...present].slice(0, mostMembers))
    for (const page of pagesOf(newsletter)) {
      const names = viewers.filter(({ id }) => id !== page.memberId).map(({ name }) => name)
      page.send('viewers', names)
    }
  }
  /** While names are loaded, at most one more load is planned: pages that open together share it. */
  const show = async (newsletter: OpenNewsletter) => {
    const key = keyOf(newsletter)
    if (pagesOf(newsletter).length === 0 || repeated.has(key)) return
    const isLoading = loading.has(key)
    if (isLoading) repeated.add(key)
    const current = (loading.get(key) ?? Promise.resolve()).then(() => {
      repeated.delete(key)
      return showNow(newsletter)
    })
    const settled = current.catch(() => {})
    loading.set(key, settled)
    await current
    if (loading.get(key) === settled) loading.delete(key)
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
      const processes = elsewhere.get(keyOf(newsletter)) ?? new Map()
      elsewhere.set(keyOf(newsletter), processes)
      processes.set(viewers.process, {
        members: viewers.members,
        until: now().getTime() + expiryMs,
      })
      if (viewers.ask) await announce(newsletter, { ask: false })
      await show(newsletter)
    },
    /** Announces again who is here, and removes those of processes that have ended. */
    async renew() {
      const open = [...connections].flatMap((one) => newsletterOf(one) ?? [])
      const newsletters = new Map(open.map((newsletter) => [keyOf(newsletter), newsletter]))
      for (const key of elsewhere.keys()) if (!newsletters.has(key)) elsewhere.delete(key)
      for (const newsletter of newsletters.values()) {
        await announce(newsletter, { ask: false })
        await show(newsletter)
      }
    },
  }
}
