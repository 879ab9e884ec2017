import type { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import type { Language } from '../../src/contract/vocabulary.ts'
import { formatMessage } from '../../src/locales/index.ts'
import { isListed } from '../kit/filters.ts'
import { buildItem, capitalize, headline, paragraph, withoutTicketJargon } from '../kit/item.ts'
import { releaseBody } from '../kit/releases/release-notes.ts'
import { releaseTitle } from '../kit/releases/release-title.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { linkOnHostOf } from '../kit/text/plain-text.ts'
import type { JiraEvent } from './event.ts'
import { wikiToMarkdown } from './wiki.ts'

/** The settings of a connection that concern its items; see the README beside this file. */
interface Settings {
  label?: string | undefined
  issue_labels: string[]
  projects: string[]
}

/** Why a setting excludes an event, without private names; `undefined` when none does. */
export function settingReason(
  event: JiraEvent,
  { projects, issue_labels }: Settings,
): string | undefined {
  if (projects.length > 0 && !projects.includes(event.projectId))
    return 'the project is not on the list of this connection (projects)'
  if (event.kind === 'issue' && !event.labels.some((label) => isListed(issue_labels, label)))
    return 'the issue has no label that is on the list of this connection (issue_labels)'
  return undefined
}

/** Why an event never makes an item; `undefined` when it can. */
export function ignoreReason(event: JiraEvent): string | undefined {
  if (event.kind === 'version') return event.released ? undefined : 'the version is not released'
  return issueIgnoreReason(event)
}

function issueIgnoreReason(issue: EventOf<'issue'>): string | undefined {
  if (!issue.wasResolved) return 'the issue was not resolved by this change'
  if (issue.isRestricted) return 'the issue has a security level'
  if (isUnfinished(issue.resolution ?? ''))
    return `the issue was closed without being done (resolution)`
  return undefined
}

// Names of resolutions of unfinished work. Each Jira defines its own in its language, so parts of names are matched.
const unfinished = new RegExp(
  [
    'won.?t|will not|\\bnot\\b|duplicat|cannot|can.t|declin|reject|incomplet|invalid|obsolete|abandon|cancel',
    'withdrawn|known (?:error|issue)|failure|as designed|^by design|as intended|out of (?:scope|date)|deferred|postponed|on hold|no longer|unresolved',
    'supersed|overtaken|works for me|^workaround|timed out|expired|insufficient|awaiting|auto.?closed|\\bstale\\b|^later$|^moved$|migrated to another',
    'nicht |duplikat|abgelehnt|verworfen|abgebrochen|zurückgewiesen|zurückgezogen|zurückgestellt|verschoben|unvollständig|ungültig|hinfällig',
    'doppelt|storniert|überholt|erübrigt|kein (?:fehler|problem|bug)|wie vorgesehen',
    'ne sera pas|\\bnon\\b|doublon|refus|rejet|annul|report[ée]|impossible|sans suite',
    'no se (?:har|va|soluc|resolv|correg|puede|pudo)|no reproduc|duplicad|rechazad|descartad|aplazad|pospuest|inválid',
    'não |recusad|rejeitad|adiad|descartad',
    '\\bniet\\b|geannuleerd|afgewezen|uitgesteld|onvolledig|dubbel|ongeldig',
    'rifiutat|respint|rimandat|scartat',
    '\\bnie\\b|odrzucon|anulowan|odłożon|niekompletn',
    '\\binte\\b|avvisad|avbrut|avslag|uppskjut|dubblett|ofullständig|ogiltig',
    'しない|重複|再現|却下|不完全|無効|キャンセル|中止|延期|保留|不要|仕様(?:通り|どおり)',
  ].join('|'),
  'iu',
)

const isUnfinished = (resolution: string) => unfinished.test(resolution.normalize())

/** The item of an event. */
export function composeItem(
  event: JiraEvent,
  settings: Settings,
  language: Language,
): IngestPayload {
  switch (event.kind) {
    case 'version':
      return composeVersion(event, settings.label, language)
    case 'issue':
      return composeIssue(event, settings.label, language)
  }
}

/** The product in the name of a version, such as `Apollo 1.0`. */
const productIn = (name: string) =>
  /^(\p{L}\S*(?: \S+){0,4}) v?\d[\w.+-]*$/u.exec(oneLine(name))?.[1]

/**
 * Jira sends only the number of the project of a version, so the label of the connection is used.
 */
function composeVersion(
  version: EventOf<'version'>,
  label: string | undefined,
  language: Language,
): IngestPayload {
  const { name, description, issuesDone } = version
  const product = label ?? productIn(name) ?? formatMessage(language, 'version', {})
  const { title, lead } = releaseTitle({ product, name, tag: name, language })
  const done = issuesDone ? formatMessage(language, 'issues_done', { count: issuesDone }) : ''
  const notes = [wikiToMarkdown(description ?? ''), done].filter((text) => text !== '').join('\n\n')
  const issues = `${version.site}/issues/?jql=${encodeURIComponent(`fixVersion = ${version.id}`)}`
  return buildItem({
    title,
    body: releaseBody({ notes, title, lead, language }),
    url: linkOnHostOf(version.site, issues),
    blockType: 'wins_milestones',
    externalId: `jira:version:${new URL(version.site).origin}:${version.id}`,
  })
}

function composeIssue(
  issue: EventOf<'issue'>,
  label: string | undefined,
  language: Language,
): IngestPayload {
  const project = oneLine(issue.projectName ?? '') || label
  const summary = capitalize(
    headline(withoutTicketJargon(wikiToMarkdown(issue.summary ?? ''), issue.key)),
  )
  const done = project ? formatMessage(language, 'issue_done', { project }) : ''
  return buildItem({
    title: summary || done || issue.key,
    body: done ? paragraph(done) : '',
    url: linkOnHostOf(issue.site, `${issue.site}/browse/${issue.key}`),
    blockType: 'wins_milestones',
    externalId: `jira:issue:${issue.id}`,
    author: issue.assignee ?? undefined,
  })
}

type EventOf<Kind extends JiraEvent['kind']> = Extract<JiraEvent, { kind: Kind }>
