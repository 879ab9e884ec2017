import type { Item } from '../kit/adapter.ts'
import { filterReason, isListed } from '../kit/filters.ts'
import type { Language } from '../kit/messages/index.ts'
import { buildReleaseItem } from '../kit/releases.ts'
import { keyPart, linkOnHostOf } from '../kit/text.ts'
import type { TagsEvent } from './event.ts'

/** What a connection narrows: see the README beside this file. */
interface Filters {
  tag_pattern: string[]
  allow_private: boolean
  repositories: string[]
}

/** The event without the tags that a connection does not ask for. */
export const withListedTags = (event: TagsEvent, { tag_pattern }: Filters): TagsEvent => ({
  ...event,
  tags: event.tags.filter(({ name }) => isListed(tag_pattern, name)),
})

/** Why a push makes no news, naming nothing that may be private; `undefined` when it does. */
export function ignoreReason(
  { tags, repository }: TagsEvent,
  filters: Filters,
): string | undefined {
  if (tags.length === 0) return 'no tag was created that this connection asks for (tag_pattern)'
  return filterReason(repository, filters)
}

/** The items a push becomes: one for each tag. */
export function composeItems({ repository, tags, author }: TagsEvent, language: Language): Item[] {
  return tags.map((tag) =>
    buildReleaseItem(
      {
        product: repository.name,
        fullName: repository.fullName,
        name: null,
        tag: tag.name,
        notes: withoutSignature(tag.message),
        url: linkOnHostOf(repository.url ?? '', tag.url ?? ''),
        externalId: `bitbucket:tag:${repository.id}:${keyPart(tag.name)}`,
        author: author ?? undefined,
        group: `bitbucket:tags:${repository.id}`,
      },
      language,
    ),
  )
}

/** Git keeps the signature of a signed tag at the end of its message. */
const withoutSignature = (message: string | null) =>
  message?.split(/^-----BEGIN (?:PGP|SSH) SIGNATURE-----/m)[0] ?? null
