import type { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { toNfc } from '../../src/contract/text.ts'
import type { Language } from '../../src/contract/vocabulary.ts'
import { formatMessage } from '../../src/locales/index.ts'
import type { ComposeContext } from '../kit/adapter.ts'
import type { Composed } from '../kit/composed.ts'
import { buildItem, capitalize, headline, paragraph, withoutTicketJargon } from '../kit/item.ts'
import { renderMarkdown } from '../kit/markdown/markdown.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { linkOnHostOf } from '../kit/text/plain-text.ts'
import { readStatusUpdate, readTask, type StatusUpdate, type Task } from './api.ts'
import type { AsanaEvent } from './event.ts'
import { withNames } from './mentions.ts'
import type { Settings } from './settings.ts'

/**
 * Composes a status update or a task, which is read from Asana because an event contains only its
 * id.
 */
export async function composeEvent({
  event,
  settings,
  provider,
  language,
}: ComposeContext<Settings, AsanaEvent>): Promise<Composed> {
  if (event.type === 'status_update') {
    const update = await readStatusUpdate(event, settings, provider)
    if (!update) return ignored(gone)
    const item = statusItem(event, update, language)
    return item ? items(item) : ignored('the status update has neither a text nor a known status')
  }
  const task = await readTask(event, settings, provider)
  if (task === undefined) return ignored(gone)
  const reason = ignoreReason(task, settings)
  return reason === undefined ? items(taskItem(event, task, language)) : ignored(reason)
}

const gone = 'it is no longer there, or access_token does not see it'
const items = (item: IngestPayload): Composed => ({ kind: 'items', items: [item] })
const ignored = (reason: string): Composed => ({ kind: 'ignored', reason })

function ignoreReason(task: Task, { tag }: Settings): string | undefined {
  if (!task.completed) return 'the task is not completed any more'
  if (headline(task.name ?? '') === '') return 'the task has no name'
  const isTagged = tag !== undefined && task.tags?.some(({ name }) => folded(name) === folded(tag))
  if (isMilestone(task) || isTagged) return undefined
  return 'the task is neither a milestone nor has the tag of this connection (tag)'
}

const folded = (text: string | null) =>
  toNfc(text ?? '')
    .trim()
    .toLowerCase()

const isMilestone = ({ resource_subtype }: Task) => resource_subtype === 'milestone'

type StatusMessage = 'health_on_track' | 'health_at_risk' | 'health_off_track' | 'project_done'

/** https://developers.asana.com/docs/status-updates */
const statusMessages: ReadonlyMap<string, StatusMessage> = new Map<string, StatusMessage>([
  ['on_track', 'health_on_track'],
  ['at_risk', 'health_at_risk'],
  ['off_track', 'health_off_track'],
  ['complete', 'project_done'],
])

/** Undefined for an update that says nothing, such as that a project is on hold. */
function statusItem(
  { gid }: AsanaEvent,
  update: StatusUpdate,
  language: Language,
): IngestPayload | undefined {
  const { parent, status_type, text, html_text, author } = update
  const status = statusMessages.get(status_type ?? '') ?? 'project_update'
  if (status === 'project_update' && oneLine(text ?? '') === '') return undefined
  return buildItem({
    title: formatMessage(language, status, { name: oneLine(parent?.name ?? '') || 'Asana' }),
    body: notesToHtml(text, html_text, language),
    url: linkTo(parent?.permalink_url),
    blockType: status === 'project_done' ? 'wins_milestones' : 'general',
    externalId: `asana:status-update:${gid}`,
    author: author?.name ?? undefined,
  })
}

/** What people write before the name of a milestone, which its title says. */
const milestoneLabel =
  /^(?:milestone|meilenstein|jalon|hito|traguardo|marco|mijlpaal)(?: (?:reached|erreicht|atteint|alcanzado|raggiunto|alcançado|bereikt))?\s*[:–—-]\s*/i

function taskItem({ gid }: AsanaEvent, task: Task, language: Language) {
  const given = withoutTicketJargon(headline(task.name ?? ''))
  const name = capitalize(isMilestone(task) ? given.replace(milestoneLabel, '') || given : given)
  // Readers do not learn the name of a private project.
  const project = task.projects?.find(({ privacy_setting }) => privacy_setting !== 'private')?.name
  const where = oneLine(project ?? '')
  const inProject = isMilestone(task) ? 'milestone_in' : 'issue_done'
  const body = [
    where && paragraph(formatMessage(language, inProject, { project: where })),
    isMilestone(task) ? notesToHtml(task.notes, task.html_notes, language) : '',
  ]
  return buildItem({
    title: isMilestone(task) ? formatMessage(language, 'milestone_reached', { name }) : name,
    body: body.filter((part) => part !== '').join('\n'),
    url: linkTo(task.permalink_url),
    blockType: 'wins_milestones',
    externalId: `asana:task:${gid}`,
    author: task.assignee?.name ?? undefined,
  })
}

const linkTo = (url: string | null | undefined) => linkOnHostOf('https://app.asana.com', url ?? '')

/** Asana sends the points of a list as lines with bullets, and the names of people only in `html`. */
function notesToHtml(notes: Text, html: Text, language: Language): string {
  const text = withNames(notes ?? '', html ?? '', language)
  return renderMarkdown(text.replace(/(\n)?^[•▪◦][^\S\n]+/gm, '$1- '), { escapeHtml: true })
}

type Text = string | null | undefined
