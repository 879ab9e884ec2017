import { adapter as github } from '../../../integrations/github/adapter.ts'
import type { ConsoleDeps } from '../../../src/console/http/context.ts'
import { pages } from '../../../src/console/pages/index.ts'
import { type MemberRole, memberRoles } from '../../../src/contract/vocabulary.ts'
import { listKeys } from '../../../src/features/api-keys/index.ts'
import { createConnection } from '../../../src/features/connections/index.ts'
import { storeIgnored } from '../../../src/features/deliveries/index.ts'
import { createEvent } from '../../../src/features/events/index.ts'
import { addElement } from '../../../src/features/newsletters/index.ts'
import { listSessions } from '../../../src/features/sessions/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { daysAfter, systemClock, utcDay } from '../../../src/lib/clock.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { capturingTransport } from '../../../src/lib/mail/mail.ts'
import { client, readContext, type TestApp } from '../app.ts'
import { logIn, member, person } from '../console.ts'

/** A route of the console, with the least role that may use it; null: everybody. */
export interface Route {
  method: string
  path: string
  role: MemberRole | null
}

/** Sound: creating the routes only stores the dependencies, and these are never requested. */
export const noDeps = () => ({}) as ConsoleDeps

/** Every route of the console's pages. */
export const routes: readonly Route[] = pages(noDeps()).routes.map(({ method, path, hooks }) => ({
  method,
  path,
  role: memberRoles.find((role) => role === hooks.detail?.['x-role']) ?? null,
}))

/** What stands for `:id` in a path, by the word before it: `/settings/keys/:id` wants `keys`. */
export type Examples = Record<string, string>

const walkEvent = {
  slug: 'walk-in-the-park',
  category: 'wellness',
  recurs: false,
  description: null,
  suggested_content: null,
} as const

/**
 * Gives a team one thing of each kind that has a page; whoever adds such a page adds its thing here.
 * `name` is what all of them are called.
 */
export async function examplesFor(app: TestApp, team: Team, name: string): Promise<Examples> {
  const colleague = await member(app, team, 'viewer', { name })
  await app.key(team, ['read', 'write', 'send_preview'], { name })
  const [key] = await listKeys(readContext(app, team))
  const capturedEmail = `ml_${crypto.randomUUID().replaceAll('-', '')}`
  await capturingTransport(app.sql, systemClock).send({
    id: capturedEmail,
    teamId: team.id,
    recipient: colleague.email,
    subject: name,
    html: `<p>${name}</p>`,
    text: name,
  })
  await logIn(person(app.base), colleague.email)
  const [session] = await listSessions({ sql: app.sql, now: systemClock }, colleague.accountId)
  const passkeys = `pk_${crypto.randomUUID()}`
  await app.sql`
    insert into passkeys (id, account_id, name, credential_id, public_key, counter, device_type, backed_up)
    values (${passkeys}, ${colleague.accountId}, ${name}, ${passkeys}, '', 0, 'singleDevice', false)`
  const writer = client(app.base, await app.key(team, ['write']))
  await createEvent(systemContext({ sql: app.sql, now: systemClock }, team.id), {
    ...walkEvent,
    name,
    // Soon, so that the calendar shows it.
    event_date: daysAfter(utcDay(systemClock()), 3),
  })
  const { json } = await writer('POST', '/content_blocks', { title: name, body: 'A win.' })
  const library = json.content_block.id
  const comments = `bc_${crypto.randomUUID().replaceAll('-', '')}`
  await app.sql`
    insert into block_comments (team_id, id, block_id, member_id, body, created_at)
    values (${team.id}, ${comments}, ${library}, ${colleague.id}, ${name}, now())`
  const begun = await writer('POST', '/newsletters', { title: name, subject_line: name })
  const newsletters = begun.json.newsletter.id
  await writer('POST', `/newsletters/${newsletters}/blocks`, { content_block_id: library })
  const ctx = systemContext({ sql: app.sql, now: systemClock }, team.id)
  const section = { type: 'section', heading: name } as const
  const { element } = await addElement(ctx, { id: newsletters, element: section })
  const sections = [{ title: name, block_types: ['general'] }]
  const template = { slug: 'walked', name, description: name, sections }
  await writer('POST', '/templates', template)
  const { forwarder } = app
  const connection = await createConnection(systemContext(forwarder, team.id), {
    adapter: github,
    given: { secret: name },
  })
  const origin = { teamId: team.id, id: connection.id, apiKey: { id: connection.apiKeyId } }
  const about = { deliveryId: crypto.randomUUID(), reason: name, event: {} }
  const deliveries = (await storeIgnored(forwarder, origin, about)) ?? ''
  const messages = `cm_${crypto.randomUUID()}`
  await app.sql`
    insert into chat_messages (id, team_id, connection_id, kind, recipient, subject, status, reason, created_at)
    values (${messages}, ${team.id}, ${connection.id}, 'published', 'U0NAME', ${name}, 'failed', ${name}, now())`
  const job = crypto.randomUUID()
  await app.sql`
    insert into pgboss.job (id, name, data, state, output, completed_on)
    values (${job}, 'send-preview-email', ${app.sql.json({ teamId: team.id })}, 'failed',
      ${app.sql.json({ message: name })}, now())`
  return {
    templates: template.slug,
    newsletters,
    elements: element.id,
    keys: key?.id ?? '',
    members: colleague.id,
    library,
    comments,
    integrations: connection.id,
    deliveries,
    messages,
    'captured-emails': capturedEmail,
    outbox: capturedEmail,
    jobs: `send-preview-email.${job}`,
    events: walkEvent.slug,
    sessions: session?.id ?? '',
    passkeys,
  }
}

/** True for a file to take away, for what fills a frame, or for a part of a page: no page with our sections beside it. */
export const isFile = ({ path }: Pick<Route, 'path'>) =>
  /\/(?:html|eml|app-package|live|newer|changed|drafts)$/.test(path)

/** A route's path, about something that the team has. */
export function pathOf({ path }: Pick<Route, 'path'>, examples: Examples): string {
  return path
    .replace(':slug', github.slug)
    .replaceAll(/\/([\w-]+)\/:(?:id|\w+Id)\b/g, (_, kind: string) => {
      const id = examples[kind]
      if (!id) throw new Error(`The walk needs an example for /${kind}/:id`)
      return `/${kind}/${id}`
    })
}
