import type { IngestPayload } from '../../src/contract/ingest.ts'
import { isListed } from '../kit/filters.ts'
import { capitalize, headline, withoutTicketNumbers } from '../kit/headline.ts'
import { buildItem, paragraph } from '../kit/item.ts'
import { type Language, message } from '../kit/messages/index.ts'
import { releaseBody } from '../kit/release-notes.ts'
import { releaseTitle } from '../kit/release-title.ts'
import { linkOnHostOf, oneLine } from '../kit/text.ts'
import type { JiraEvent } from './event.ts'

/** What a connection narrows and adds: see the README beside this file. */
interface Settings {
  label?: string | undefined
  issue_labels: string[]
  projects: string[]
}

/** Why an event makes no news, naming nothing that may be private; `undefined` when it does. */
export function ignoreReason(event: JiraEvent, settings: Settings): string | undefined {
  if (settings.projects.length > 0 && !settings.projects.includes(event.projectId))
    return 'the project is not on the list of this connection (projects)'
  return event.kind === 'version'
    ? whyNoRelease(event)
    : whyNoAchievement(event, settings.issue_labels)
}

const whyNoRelease = ({ released }: EventOf<'version'>) =>
  released ? undefined : 'the version is not released'

function whyNoAchievement(issue: EventOf<'issue'>, issueLabels: string[]): string | undefined {
  if (!issue.wasResolved) return 'the issue was not resolved by this change'
  if (issue.isRestricted) return 'the issue has a security level'
  if (!issue.labels.some((label) => isListed(issueLabels, label)))
    return 'the issue has no label that is on the list of this connection (issue_labels)'
  if (isUnfinished(issue.resolution ?? ''))
    return `the issue was closed without being done (resolution)`
  return undefined
}

// Names of resolutions under which nothing was done. Each Jira names its own, so parts of names count.
const unfinished =
  /won.?t|will not|\bnot\b|duplicat|cannot|can.t|declin|reject|incomplete|invalid|obsolete|abandon|cancel|withdrawn|known error|failure|as designed|out of scope|deferred|wird nicht|duplikat|abgelehnt|verworfen|nicht |ne sera pas|doublon|refus|no se har|duplicad|rechazad/i

const isUnfinished = (resolution: string) => unfinished.test(resolution)

/** The item an event becomes. */
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

/** Jira sends the project of a version only as a number, hence the connection's label. */
function composeVersion(
  version: EventOf<'version'>,
  label: string | undefined,
  language: Language,
): IngestPayload {
  const { name, description, issuesDone } = version
  const product = label ?? message(language, 'version', {})
  const { title, lead } = releaseTitle({ product, name, tag: name, language })
  const done = issuesDone ? message(language, 'issues_done', { count: issuesDone }) : ''
  const notes = [description ?? '', done].filter((text) => text !== '').join('\n\n')
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
  const summary = capitalize(headline(withoutTicketNumbers(issue.summary ?? '', issue.key)))
  return buildItem({
    title: summary || issue.key,
    body: project ? paragraph(message(language, 'issue_done', { project })) : '',
    url: linkOnHostOf(issue.site, `${issue.site}/browse/${issue.key}`),
    blockType: 'wins_milestones',
    externalId: `jira:issue:${issue.id}`,
    author: issue.assignee ?? undefined,
  })
}

type EventOf<Kind extends JiraEvent['kind']> = Extract<JiraEvent, { kind: Kind }>
