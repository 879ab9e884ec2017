import type { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import type { Language } from '../../src/contract/vocabulary.ts'
import { formatMessage } from '../../src/locales/index.ts'
import { isListed } from '../kit/filters.ts'
import { buildItem, capitalize, headline, paragraph, withoutTicketJargon } from '../kit/item.ts'
import { releaseTitle } from '../kit/releases/release-title.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { keyPart, linkOnHostOf } from '../kit/text/plain-text.ts'
import type { DevOpsEvent } from './event.ts'
import type { Settings } from './settings.ts'

type EventOf<Kind extends DevOpsEvent['kind']> = Extract<DevOpsEvent, { kind: Kind }>

/** Without a setting: the stages, types and states that most projects have. */
const byDefault = {
  environments: ['prod*'],
  work_item_types: ['Epic', 'Feature'],
  done_states: ['Done', 'Closed', 'Completed'],
} as const
const orDefault = (given: readonly string[], name: keyof typeof byDefault) =>
  given.length > 0 ? given : byDefault[name]

/** Why an event never becomes an item; `undefined` when it can. */
export function ignoreReason(event: DevOpsEvent): string | undefined {
  if (event.kind === 'deployment')
    return event.succeeded ? undefined : 'the deployment did not succeed'
  if (event.new_state === null || event.new_state === event.old_state)
    return 'the change left the state as it was'
  return unfinished.test(event.reason ?? '')
    ? 'the work item was closed without being done'
    : undefined
}

// Reasons of the processes of Azure DevOps for work that was not done.
const unfinished =
  /duplicat|\bcut\b|deferred|reject|obsolete|abandon|cannot|can.t|not |won.t|as designed|removed|copied|out of scope/i

/** Why a setting excludes an event, without private names; `undefined` when none does. */
export function settingReason(event: DevOpsEvent, settings: Settings): string | undefined {
  const { projects, environments, work_item_types, done_states } = settings
  if (projects.length > 0 && !isListed(projects, event.project))
    return 'the project is not on the list of this connection (projects)'
  if (event.kind === 'deployment')
    return isListed(orDefault(environments, 'environments'), event.environment)
      ? undefined
      : 'the stage is not on the list of this connection (environments)'
  if (!isListed(orDefault(work_item_types, 'work_item_types'), event.type))
    return 'the type is not on the list of this connection (work_item_types)'
  const done = orDefault(done_states, 'done_states')
  if (!isListed(done, event.new_state ?? ''))
    return 'the new state is not on the list of this connection (done_states)'
  // A work item that was done before is not news.
  return isListed(done, event.old_state ?? '')
    ? 'it was in such a state before (done_states)'
    : undefined
}

/** The item of an event. */
export function composeItem(event: DevOpsEvent, language: Language): IngestPayload {
  return event.kind === 'deployment'
    ? composeDeployment(event, language)
    : composeWorkItem(event, language)
}

/** The page of an item. Organizations have kept their earlier address, which links contain. */
function linkOf({ site, url }: DevOpsEvent): string | undefined {
  const isEarlier = /^[a-z\d-]+\.visualstudio\.com$/.test(URL.parse(url ?? '')?.hostname ?? '')
  return linkOnHostOf(isEarlier ? (url ?? '') : site, url ?? '')
}

function composeDeployment(event: EventOf<'deployment'>, language: Language): IngestPayload {
  const product = oneLine(event.project)
  const given = oneLine(event.release).replace(/^rel(?:ease)?[-_ ](?=\d)/i, '')
  // `web-prod-20261119.3` is the number of a build.
  const name = /^[a-z][\w.-]*\d{6,}[\w.-]*$/i.test(given) ? '' : given
  // A release is named by its number, by a version or by what it brings.
  const tag = /^v?\d/i.test(name) ? name : event.release_id
  const { title, lead } = releaseTitle({ product, name, tag, language })
  return buildItem({
    title,
    body: lead === undefined ? '' : paragraph(lead),
    url: linkOf(event),
    blockType: 'wins_milestones',
    externalId: `azure-devops:release:${keyPart(event.project_id)}:${event.release_id}`,
  })
}

function composeWorkItem(event: EventOf<'work_item'>, language: Language): IngestPayload {
  const project = oneLine(event.project)
  const done = formatMessage(language, 'issue_done', { project })
  const title = capitalize(headline(withoutTicketJargon(event.title)))
  return buildItem({
    title: title || done,
    body: paragraph(done),
    url: linkOf(event),
    blockType: 'wins_milestones',
    externalId: `azure-devops:work-item:${keyPart(event.collection_id)}:${event.id}`,
    author: event.assignee ?? undefined,
  })
}
