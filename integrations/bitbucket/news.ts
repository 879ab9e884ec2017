import type { Language } from '../../src/contract/vocabulary.ts'
import type { Item } from '../kit/composed.ts'
import { isListed, type RepositoryFilters, repositoryFilterReason } from '../kit/filters.ts'
import { buildReleaseItem } from '../kit/releases/releases.ts'
import { keyPart, linkOnHostOf } from '../kit/text/plain-text.ts'
import type { TagsEvent } from './event.ts'

/** The filters of a connection; see the README beside this file. */
interface Filters extends RepositoryFilters {
  tag_pattern: string[]
}

/** Why a push never makes an item; `undefined` when it can. */
export const ignoreReason = ({ tags }: TagsEvent) =>
  tags.length === 0 ? 'no tag was created' : undefined

/** A push of more tags imports the history of a repository, which is not news. */
const maxTags = 100

/** Why a setting excludes a push, without private names; `undefined` when none does. */
export function settingReason(event: TagsEvent, filters: Filters): string | undefined {
  const { length } = listedTags(event, filters)
  if (length === 0) return 'no tag was created that this connection asks for (tag_pattern)'
  if (length > maxTags)
    return `more than ${maxTags} tags were created at once, as when a repository is imported (tag_pattern)`
  return repositoryFilterReason(event.repository, filters)
}

/** The event with only the tags that match `tag_pattern`, or with all of them when none matches. */
export function withListedTags(event: TagsEvent, filters: Filters): TagsEvent {
  const tags = listedTags(event, filters)
  return tags.length > 0 ? { ...event, tags } : event
}

const listedTags = ({ tags }: TagsEvent, { tag_pattern }: Pick<Filters, 'tag_pattern'>) =>
  tags.filter(({ name }) => isListed(tag_pattern, name))

/** The items of a push: one for each tag that matches `tag_pattern`. */
export function composeItems(event: TagsEvent, filters: Filters, language: Language): Item[] {
  const { repository, author } = event
  return listedTags(event, filters).map((tag) =>
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

/** Removes the signature of a signed tag, which Git stores at the end of its message. */
const withoutSignature = (message: string | null) =>
  message?.split(/^-----BEGIN (?:PGP|SSH) SIGNATURE-----/m)[0] ?? null
