import { renderMarkdown } from '../../integrations/kit/markdown/markdown.ts'
import { IngestPayload } from '../contract/blocks/ingest.ts'
import { createKey, revokeKey } from '../features/api-keys/index.ts'
import { createEvent } from '../features/events/index.ts'
import { createIngest } from '../features/ingest/index.ts'
import { addMember, inviteMember } from '../features/members/index.ts'
import {
  composeNewsletter,
  createNewsletter,
  updateNewsletter,
} from '../features/newsletters/index.ts'
import { type DemoNews, freshNews, sentNews } from '../features/sample-content/index.ts'
import { utcDay } from '../lib/clock.ts'
import { inTransaction } from '../lib/context.ts'
import { parseInput } from '../lib/parse.ts'
import {
  type CliContext,
  type CliRuntime,
  databaseAction,
  newCommand,
  type Output,
  withCommandLine,
} from './command.ts'
import { createTeamOnCommandLine } from './teams.ts'

/** `tidings demo`. Fails when another team has the slug already. */
export const demoCommand = (runtime: CliRuntime) =>
  newCommand('demo')
    .description('Create a team with sample content and print a link to join it')
    .option('--slug <slug>', 'slug of the team', 'demo')
    .action(databaseAction(runtime, (context, { slug }) => createDemo(context, slug)))

async function createDemo(context: CliContext, slug: string): Promise<Output> {
  const { sql, now, config } = context
  const team = await createTeamOnCommandLine(context, { slug, name: 'Lantern & Co' })
  const ctx = withCommandLine({ sql, now, baseUrl: config.baseUrl }, team.id)
  const winterBreak = `${now().getUTCFullYear()}-12-24`
  await createEvent(ctx, {
    slug: 'winter-break',
    name: 'Winter break',
    event_date: winterBreak,
    recurs: true,
    category: 'corporate',
    description: 'The office is closed for a week.',
    suggested_content: 'Who is on call, what closes when, and a word of thanks.',
  })
  await ingestNews(context, { teamId: team.id, news: sentNews, areReady: true })
  await sendNewsletter(context, team.id)
  await ingestNews(context, { teamId: team.id, news: freshNews, areReady: false })
  await createNewsletter(ctx, {
    title: 'The Lantern, next issue',
    subject_line: 'The news of this week',
    preheader_text: null,
    scheduled_date: null,
    template_slug: 'clean',
    status: 'draft',
  })
  const host = await addMember(ctx, {
    email: `you@${slug}.example`,
    name: 'You',
    role: 'admin',
  })
  const url = `${config.baseUrl}/join/${await inviteMember(ctx, host)}`
  return {
    text: `Created the team ${team.name} (${slug}). Join it as its admin: ${url}`,
    json: { team, url },
  }
}

/** Stores the items through ingest, with one key per provider, which is revoked afterwards. */
async function ingestNews(
  { sql, now }: CliContext,
  { teamId, news, areReady }: { teamId: string; news: readonly DemoNews[]; areReady: boolean },
): Promise<void> {
  const ingest = createIngest({ sql, now, renderMarkdown })
  const ctx = withCommandLine({ sql, now }, teamId)
  for (const [provider, items] of Map.groupBy(news, (item) => item.provider)) {
    const about = { scopes: ['write' as const], provider }
    const options = { ...about, name: `Demo: ${provider}`, ingest_only: true, expires_at: null }
    const key = await createKey(ctx, { ...options, allow_auto_ready: areReady })
    const caller = { teamId, provider, keyId: key.id, firstKeyId: key.id, keyName: options.name }
    for (const { provider: _, ...item } of items) {
      const payload = parseInput(IngestPayload, { ...item, auto_ready: areReady })
      await ingest.store(
        { ...caller, allowAutoReady: areReady },
        { item: payload, idempotencyKey: null },
      )
    }
    await revokeKey(ctx, key.id)
  }
}

/** Creates a newsletter from all ready blocks and marks it as sent. */
async function sendNewsletter(context: CliContext, teamId: string): Promise<void> {
  const { sql, now, config } = context
  const base = { sql, now, baseUrl: config.baseUrl }
  await inTransaction(withCommandLine(base, teamId), async (ctx) => {
    const { id } = await createNewsletter(ctx, {
      title: 'The Lantern, first issue',
      subject_line: 'Harbour Bank stays, the lift is back',
      preheader_text: 'Three good things of last week.',
      scheduled_date: utcDay(now()),
      template_slug: 'clean',
      status: 'draft',
    })
    await composeNewsletter(ctx, { id })
    await updateNewsletter(ctx, { id, change: { status: 'ready' }, expected: null })
    await updateNewsletter(ctx, { id, change: { status: 'sent' }, expected: null })
  })
}
