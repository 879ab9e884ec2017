import * as v from 'valibot'
import type { Item } from './adapter.ts'
import { buildItem } from './item.ts'
import { oneLine, providerText } from './text.ts'

/** What releases and milestones have in common. */
interface ProductNews {
  /** The repository or project, alone and with its owner. */
  product: string
  fullName: string
  url: string | undefined
  linkText: string
  externalId: string
  author?: string | undefined
  /** Which news of a week it can be gathered with: of its kind, in its repository or project. */
  group: string
}

/** A release, or the tag that stands for one, as every code host has it. */
interface Release extends ProductNews {
  /** Often missing; the tag takes its place. */
  name: string | null
  tag: string
  /** Markdown, often missing. */
  notes: string | null
}

/** The block a release becomes. */
export function buildReleaseItem({
  product,
  fullName,
  name,
  tag,
  notes,
  group,
  ...rest
}: Release): Item {
  const item = buildItem({
    ...rest,
    title: `${product} ${name?.trim() || tag} released`,
    markdown: notes,
    fallback: `${fullName} ${tag} has been released.`,
    blockType: 'wins_milestones',
  })
  return { ...item, group: { key: group, name: `releases of ${shortName(fullName)}` } }
}

interface Milestone extends ProductNews {
  title: string
  /** Markdown, often missing. */
  description: string | null
  /** A plain sentence to stand after the description. */
  fact?: string | undefined
}

/** The block a milestone that was reached becomes. */
export function buildMilestoneItem({
  product,
  fullName,
  title,
  description,
  group,
  ...rest
}: Milestone): Item {
  const item = buildItem({
    ...rest,
    title: `Milestone ${title} reached (${product})`,
    markdown: description,
    fallback: `${fullName} has reached the milestone ${title}.`,
    blockType: 'wins_milestones',
  })
  const name = `milestones of ${shortName(fullName)} reached`
  return { ...item, group: { key: group, name, onRequest: true } }
}

const shortName = (fullName: string) => oneLine(fullName, 180)

/** An id in a payload. */
export const Id = v.pipe(v.number(), v.safeInteger())

/** What happened to a thing: a word that is safe to repeat. */
export const Action = v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/))

/** The fields that are read of a repository, in the form GitHub has made common. */
export const repositoryFields = {
  id: Id,
  name: providerText,
  full_name: providerText,
  html_url: providerText,
  private: v.boolean(),
}

/** The fields that are read of a release, in the form GitHub has made common. */
export const releaseFields = {
  id: Id,
  tag_name: providerText,
  name: v.nullish(providerText, null),
  body: v.nullish(providerText, null),
  html_url: providerText,
  draft: v.boolean(),
  prerelease: v.boolean(),
}

/** Why a release in that form is not news; `undefined` when it is. */
export function releaseIgnoreReason(
  action: string,
  { draft, prerelease }: { draft: boolean; prerelease: boolean },
): string | undefined {
  if (action !== 'published') return `${action} is not news, only published is`
  if (draft) return 'a draft is not news'
  if (prerelease) return 'a pre-release is not news'
  return undefined
}
