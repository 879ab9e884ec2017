import type { IngestPayload } from '../../src/contract/ingest.ts'
import { isListed } from '../kit/filters.ts'
import { buildItem } from '../kit/item.ts'
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
  return undefined
}

/** The block an event becomes. */
export function composeItem(event: JiraEvent, settings: Settings): IngestPayload {
  switch (event.kind) {
    case 'version':
      return composeVersion(event, settings.label)
    case 'issue':
      return composeIssue(event)
  }
}

/** Jira sends the project of a version only as a number, hence the connection's label. */
function composeVersion(version: EventOf<'version'>, label: string | undefined): IngestPayload {
  const name = label === undefined ? version.name : `${label} ${version.name}`
  const issues = `${version.site}/issues/?jql=${encodeURIComponent(`fixVersion = ${version.id}`)}`
  return buildItem({
    title: `${name} released`,
    markdown: version.description,
    fallback: `${name} has been released.`,
    url: linkOnHostOf(version.site, issues),
    linkText: 'Its issues on Jira',
    blockType: 'wins_milestones',
    externalId: `jira:version:${new URL(version.site).origin}:${version.id}`,
  })
}

function composeIssue(issue: EventOf<'issue'>): IngestPayload {
  return buildItem({
    title: oneLine(issue.summary ?? '') || issue.key,
    markdown: null,
    fallback: `${issue.key} has been resolved${issue.resolution ? `: ${issue.resolution}` : ''}.`,
    url: linkOnHostOf(issue.site, `${issue.site}/browse/${issue.key}`),
    linkText: 'The issue on Jira',
    blockType: 'wins_milestones',
    externalId: `jira:issue:${issue.id}`,
  })
}

type EventOf<Kind extends JiraEvent['kind']> = Extract<JiraEvent, { kind: Kind }>
