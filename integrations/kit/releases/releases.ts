import * as v from 'valibot'
import type { IngestPayload } from '../../../src/contract/blocks/ingest.ts'
import type { Language } from '../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../src/locales/index.ts'
import type { Composed, Item } from '../composed.ts'
import { buildItem, headline, paragraph } from '../item.ts'
import { renderMarkdown } from '../markdown/markdown.ts'
import { oneLine } from '../text/fit-length.ts'
import { providerText } from '../text/plain-text.ts'
import { releaseBody } from './release-notes.ts'
import { releaseTitle } from './release-title.ts'

/** The fields that releases and milestones have in common. */
interface ProductNews {
  /** The name of the repository or project, without and with its owner. */
  product: string
  fullName: string
  url: string | undefined
  externalId: string
  author?: string | undefined
  /**
   * The key of the items that it can be rolled up with: of its type, in its repository or project.
   */
  group: string
}

/** A release, or a tag in place of a release, as every code host has it. */
interface Release extends ProductNews {
  /** Often missing; the tag takes its place. */
  name: string | null
  tag: string
  /** Markdown, often missing. */
  notes: string | null
}

/** The item of a release: what was released, and what changed for people. */
export function buildReleaseItem(
  { product, fullName, name, tag, notes, group, ...rest }: Release,
  language: Language,
): Item {
  const { title, lead } = releaseTitle({ product, name, tag, language })
  const body = releaseBody({ notes, title, lead, base: rest.url, language })
  const item = buildItem({ ...rest, title, body, blockType: 'wins_milestones' })
  return {
    ...item,
    group: {
      key: group,
      name: formatMessage(language, 'group_releases', { name: shortName(fullName) }),
    },
  }
}

interface Milestone extends ProductNews {
  title: string
  /** Markdown, often missing. */
  description: string | null
  /** Closed and open issues; undefined when the provider does not send them. */
  done?: number | undefined
  open?: number | undefined
}

/** The item of a milestone that was reached: its progress, then its description. */
export function buildMilestoneItem(
  { product, fullName, title, description, done, open, group, ...rest }: Milestone,
  language: Language,
): Item {
  const progress = paragraph(progressOf({ product, done, open }, language))
  const item = buildItem({
    ...rest,
    title: formatMessage(language, 'milestone_reached', { name: headline(title) }),
    body: [progress, renderMarkdown(description ?? '', { base: rest.url })]
      .filter((part) => part !== '')
      .join('\n'),
    blockType: 'wins_milestones',
  })
  const name = formatMessage(language, 'group_milestones', { name: shortName(fullName) })
  return { ...item, group: { key: group, name, onRequest: true } }
}

function progressOf(
  { product: project, done = 0, open = 0 }: Pick<Milestone, 'product' | 'done' | 'open'>,
  language: Language,
): string {
  if (done === 0) return formatMessage(language, 'milestone_in', { project })
  return open === 0
    ? formatMessage(language, 'milestone_done', { done, project })
    : formatMessage(language, 'milestone_progress', { done, total: done + open, project })
}

const shortName = (fullName: string) => oneLine(fullName, 180)

/** An id in a payload. */
export const Id = v.pipe(v.number(), v.safeInteger())

/** The action of an event: a word that is safe to repeat in a reason. */
export const Action = v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/))

/** The fields that are read of a repository, in the format that GitHub has made common. */
export const repositoryFields = {
  id: Id,
  name: providerText,
  full_name: providerText,
  html_url: providerText,
  private: v.boolean(),
}

/** The fields that are read of a release, in the format that GitHub has made common. */
export const releaseFields = {
  id: Id,
  tag_name: providerText,
  name: v.nullish(providerText, null),
  body: v.nullish(providerText, null),
  html_url: providerText,
  draft: v.boolean(),
  prerelease: v.boolean(),
}

/** What an event of a code host does to the item of a release, or why it does nothing. */
export type ReleaseChange = 'announce' | 'update' | { ignored: string }

/**
 * What an action in GitHub's format does. `released` comes when a pre-release becomes a release,
 * and also beside `published`. Both make one block, because they have the same content key.
 */
export function releaseChange(
  action: string,
  { draft, prerelease }: { draft: boolean; prerelease: boolean },
): ReleaseChange {
  if (draft) return { ignored: 'a draft creates no block' }
  if (prerelease) return { ignored: 'a pre-release creates no block' }
  if (action === 'published' || action === 'released') return 'announce'
  if (action === 'edited' || action === 'updated') return 'update'
  return { ignored: `${action} creates no block; only published, released and edited do` }
}

/** Why a release event makes no item; `undefined` when it makes one. */
export function releaseIgnoreReason(
  action: string,
  release: { draft: boolean; prerelease: boolean },
): string | undefined {
  const change = releaseChange(action, release)
  return typeof change === 'object' ? change.ignored : undefined
}

/**
 * The result of a release event. An edit changes a draft that no person has edited, and makes no
 * block.
 */
export function composeRelease(change: ReleaseChange, item: Item): Composed {
  if (change === 'announce') return { kind: 'items', items: [item] }
  if (change === 'update') return { kind: 'update', items: [withoutGroup(item)] }
  return { kind: 'ignored', reason: change.ignored }
}

function withoutGroup({ group, ...item }: Item): IngestPayload {
  return item
}
