import * as v from 'valibot'
import { TeamChange } from '../../contract/team.ts'
import { emailAddress, singleLineText } from '../../contract/text.ts'
import type { Language } from '../../contract/vocabulary.ts'
import { daysBefore } from '../../lib/clock.ts'
import {
  type Context,
  inTransaction,
  type ServiceContext,
  systemContext,
  type TxContext,
} from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { hashLinkToken, newLinkToken } from '../../lib/ids.ts'
import { parseInput } from '../../lib/parse.ts'
import { slugify } from '../../lib/text/slug.ts'
import { createAccount, existsAccount, NewPassword } from '../accounts/index.ts'
import { recordAudit } from '../audit-log/index.ts'
import { memberActor, promoteAdmin } from '../members/index.ts'
import { createTeam, listTeams, type Team, updateTeam } from '../teams/index.ts'
import {
  deleteSetupLinks,
  deleteSetupLinksBefore,
  existsSetupLink,
  type FirstSteps,
  insertSetupLink,
  lockSetup,
  selectFirstSteps,
} from './sql.ts'

export { createOwnTeam, OwnTeam } from './own-team.ts'
export type { FirstSteps }

/** The first admin. */
const FirstAdmin = v.object({
  name: singleLineText(100),
  email: emailAddress,
  password: NewPassword,
})

/**
 * The form of the set-up page. The name of the team is missing when the command line has created
 * it.
 */
export const Setup = v.object({
  ...FirstAdmin.entries,
  team: v.optional(singleLineText(100)),
  brand_color: v.optional(TeamChange.entries.brand_color.wrapped),
})

/**
 * A token for the set-up page while no account exists, otherwise null. Only its hash is stored. It
 * is valid until the first account is created.
 */
export async function openSetup({ sql, now }: ServiceContext): Promise<string | null> {
  if (await withDeadline(existsAccount(sql))) return null
  const token = newLinkToken()
  await withDeadline(insertSetupLink(sql, hashLinkToken(token), now()))
  return token
}

/** True while no account exists. */
export async function needsSetup({ sql }: Pick<ServiceContext, 'sql'>): Promise<boolean> {
  return !(await withDeadline(existsAccount(sql)))
}

/** Throws `not_found` unless the token is valid for the set-up page. */
export async function requireSetup(
  { sql }: Pick<ServiceContext, 'sql'>,
  token: string,
): Promise<void> {
  const open =
    (await withDeadline(existsSetupLink(sql, hashLinkToken(token)))) &&
    !(await withDeadline(existsAccount(sql)))
  if (!open) throw notFound('This page')
}

/** The form of the set-up page, and the network address of its sender. */
interface SetupRequest {
  token: string
  address: string | null
  /** The language of its sender, which a new team gets. */
  language: Language
  setup: v.InferOutput<typeof Setup>
}

/** Creates the first account and its team. Throws `not_found` when the token is no longer valid. */
export async function completeSetup(
  ctx: ServiceContext,
  { token, ...request }: SetupRequest,
): Promise<Team> {
  return await inTransaction(ctx, async (txCtx) => {
    await lockSetup(txCtx.sql)
    await requireSetup(txCtx, token)
    return await createFirstTeam(txCtx, request)
  })
}

/**
 * Creates the first account without a page; false when an account exists, whatever the input. Throws
 * `validation_failed`.
 */
export async function createFirstAdmin(
  ctx: ServiceContext,
  input: v.InferInput<typeof FirstAdmin>,
): Promise<boolean> {
  return await inTransaction(ctx, async (txCtx) => {
    await lockSetup(txCtx.sql)
    if (await existsAccount(txCtx.sql)) return false
    const setup = parseInput(FirstAdmin, input)
    await createFirstTeam(txCtx, { setup, address: null, language: 'en' })
    return true
  })
}

async function createFirstTeam(
  ctx: TxContext<ServiceContext>,
  { setup, address, language }: Omit<SetupRequest, 'token'>,
): Promise<Team> {
  const { team: teamName, brand_color, ...person } = setup
  const { sql: tx } = ctx
  await deleteSetupLinks(tx)
  const account = await createAccount(ctx, person)
  const name = teamName ?? 'Our team'
  const [known] = await listTeams(tx)
  const team =
    known ??
    (await createTeam(ctx, {
      slug: slugify(name, { longest: 60, otherwise: 'team' }),
      name,
      language,
    }))
  const member = await promoteAdmin(systemContext(ctx, team.id), account)
  const asAdmin = { ...ctx, actor: memberActor({ ...member, team_id: team.id }, address) }
  await recordAudit(asAdmin, 'team_created', team.name)
  if (brand_color) await updateTeam(asAdmin, { brand_color })
  return team
}

/** The first steps that the actor's team has done. */
export async function getFirstSteps({ sql, actor }: Context): Promise<FirstSteps> {
  return await withDeadline(selectFirstSteps(sql, actor.teamId))
}

const linkRetentionDays = 30

/**
 * Deletes set-up links after 30 days. Each start of the service creates a new one while no account
 * exists.
 */
export async function purgeSetupLinks({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), linkRetentionDays)
  await deleteSetupLinksBefore(sql, before)
}
