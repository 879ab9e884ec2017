import type { MemberRole } from '../../../src/contract/vocabulary.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import type { TestApp } from '../app.ts'
import { signedIn } from '../console.ts'

/** The path of the page that links an account of a chat, in what the bot has written. */
export const accountLinkIn = (text: string): string =>
  /\/account\/chat\/[\w-]+/.exec(text)?.[0] ?? ''

/** A new member of the team links their account of a chat; `requestLink` returns what the bot writes about the link. */
export async function linkAccount(
  app: TestApp,
  team: Team,
  requestLink: () => Promise<string>,
  role: MemberRole = 'editor',
): Promise<void> {
  const member = await signedIn(app, team, role)
  const { status } = await member.post(accountLinkIn(await requestLink()))
  if (status !== 303) throw new Error(`linking an account gets ${status}`)
}
