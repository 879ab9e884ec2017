import type { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import type { Language } from '../../src/contract/vocabulary.ts'
import { formatMessage } from '../../src/locales/index.ts'
import { buildItem, nameFromLogin, withoutTicketJargon } from '../kit/item.ts'
import { renderMarkdown } from '../kit/markdown/markdown.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { linkOnHostOf } from '../kit/text/plain-text.ts'
import type { LinearEvent } from './event.ts'

/** Why an event makes no item; `undefined` when it makes one. */
export function ignoreReason(event: LinearEvent): string | undefined {
  switch (event.type) {
    case 'ProjectUpdate':
    case 'InitiativeUpdate':
      return event.action === 'create'
        ? undefined
        : `${event.action} creates no block; only create does`
    case 'Project':
    case 'Initiative':
      return wasCompleted(event) ? undefined : 'it was not completed by this change'
  }
}

const wasCompleted = (event: EventOf<'Project'> | EventOf<'Initiative'>): boolean =>
  event.type === 'Project'
    ? Boolean(event.updatedFrom?.statusId) && event.data.status?.type === 'completed'
    : Boolean(event.updatedFrom?.status) && event.data.status === 'Completed'

/** The item of an event. */
export function composeItem(event: LinearEvent, language: Language): IngestPayload {
  switch (event.type) {
    case 'ProjectUpdate':
      return composeUpdate('project', event.data.project.name, event, language)
    case 'InitiativeUpdate':
      return composeUpdate('initiative', event.data.initiative.name, event, language)
    case 'Project':
    case 'Initiative':
      return composeCompletion(event, language)
  }
}

const linkTo = (url: string | null) => linkOnHostOf('https://linear.app', url ?? '')

function composeUpdate(
  kind: 'project' | 'initiative',
  name: string,
  { data, url }: EventOf<'ProjectUpdate'> | EventOf<'InitiativeUpdate'>,
  language: Language,
): IngestPayload {
  const health = healthMessages.get(data.health ?? '') ?? 'project_update'
  return buildItem({
    title: formatMessage(language, health, { name: withoutTicketJargon(oneLine(name)) }),
    body: renderMarkdown(readableText(data.body ?? ''), { base: linkTo(url) }),
    url: linkTo(url),
    blockType: 'general',
    externalId: `linear:${kind}-update:${data.id}`,
    author: data.user ?? undefined,
  })
}

type HealthMessage = 'health_on_track' | 'health_at_risk' | 'health_off_track'

const healthMessages: ReadonlyMap<string, HealthMessage> = new Map<string, HealthMessage>([
  ['onTrack', 'health_on_track'],
  ['atRisk', 'health_at_risk'],
  ['offTrack', 'health_off_track'],
])

/**
 * The text of an update for readers. Linear's collapsed sections (`+++ Title … +++`) are opened: the title is kept and the
 * marks are removed.
 */
const readableText = (markdown: string) =>
  markdown
    .replace(
      /^\+\+\+[^\S\n]*(.*)$/gm,
      (_, title: string) => title.trim() && `**${title.trim()}**\n`,
    )
    .replace(copies, '')
    .replace(linkedIssue, '')
    .replace(mention, (_, name = '', login = '') => nameFromLogin(name || login))

/** `[@mira](https://linear.app/acme/profiles/mira)`, and the address alone. */
const mention =
  /\[@([^[\]\n]{1,80})\]\(https:\/\/linear\.app\/[\w-]+\/profiles\/[^()\s]*\)|(?<![("\w])https:\/\/linear\.app\/[\w-]+\/profiles\/([\w.-]*\w)/g

/** `([LIN-123](https://linear.app/…))`. */
const linkedIssue = /(?<!\s)\s*\(\[[A-Z][A-Z0-9]{0,9}-\d+\]\([^()\s]*\)\)/g

/** A line that only informs other people: `cc @noor`. */
const copies = /^[^\S\n]*[_*]{0,2}cc:?[_*]{0,2}[^\S\n]+[@<].*$/gim

function composeCompletion(
  { type, data, actor, url }: EventOf<'Project'> | EventOf<'Initiative'>,
  language: Language,
): IngestPayload {
  return buildItem({
    title: formatMessage(language, 'project_done', {
      name: withoutTicketJargon(oneLine(data.name)),
    }),
    body: renderMarkdown(data.description ?? '', { base: linkTo(url) }),
    url: linkTo(url),
    blockType: 'wins_milestones',
    externalId: `linear:${type.toLowerCase()}:${data.id}`,
    author: actor ?? undefined,
  })
}

type EventOf<Type extends LinearEvent['type']> = Extract<LinearEvent, { type: Type }>
