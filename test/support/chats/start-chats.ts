import { afterAll, afterEach, beforeEach, expect } from 'bun:test'
import { startApp, type TestApp } from '../app.ts'
import { startDiscordDriver } from '../discord/discord-driver.ts'
import { startGoogleChatDriver } from '../google-chat/google-chat-driver.ts'
import { untilNothingIsSent } from '../jobs.ts'
import { startMattermostDriver } from '../mattermost/mattermost-driver.ts'
import { startTeamsDriver } from '../teams/teams-driver.ts'

// In the order of their foreign keys.
const tablesOfContent = [
  ...['newsletters', 'content_blocks', 'block_contributors', 'trashed_blocks', 'receipts'],
  ...['draft_reviews', 'prompts', 'prompt_channels', 'prompt_schedules'],
  ...['chat_messages', 'chat_conversations', 'deliveries'],
]

/** Removes the content of all teams and what chats know of it. Their connections and people stay. */
const removeContent = ({ sql }: TestApp) =>
  sql.unsafe(tablesOfContent.map((table) => `delete from ${table}`).join(';'))

/**
 * Starts an app and connects each chat to a team, whose editors are Ada and Ben, for all tests of a file. Each test
 * begins without content and messages of earlier ones.
 */
export async function startChats(options: Parameters<typeof startApp>[0] = {}) {
  const servers = {
    discord: startDiscordDriver(),
    googleChat: await startGoogleChatDriver(),
    mattermost: startMattermostDriver(),
    teams: startTeamsDriver(),
  }
  const all = Object.values(servers)
  const app = await startApp({ ...options, adapters: all.map(({ adapter }) => adapter) })
  const chats = {
    discord: await servers.discord.connect(app),
    googleChat: await servers.googleChat.connect(app),
    mattermost: await servers.mattermost.connect(app),
    teams: await servers.teams.connect(app),
  }
  for (const chat of Object.values(chats)) {
    await chat.addEditor('ada')
    await chat.addEditor('ben')
  }
  beforeEach(async () => {
    await untilNothingIsSent(app)
    await removeContent(app)
    for (const server of all) server.reset()
  })
  afterEach(() => {
    expect(all.flatMap(({ faults }) => faults)).toEqual([])
  })
  afterAll(async () => {
    await app.close()
    for (const server of all) await server.stop()
  })
  return { app, chats }
}
