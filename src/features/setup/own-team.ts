import * as v from 'valibot'
import { singleLineText } from '../../contract/text.ts'
import type { Language } from '../../contract/vocabulary.ts'
import { dayMs } from '../../lib/clock.ts'
import { inTransaction, type ServiceContext, systemContext } from '../../lib/context.ts'
import { invalidField } from '../../lib/errors.ts'
import { randomSuffix } from '../../lib/ids.ts'
import { slugify } from '../../lib/text/slug.ts'
import { recordAudit } from '../audit-log/index.ts'
import { memberActor, promoteAdmin } from '../members/index.ts'
import { createTeam, type Team } from '../teams/index.ts'
import { countNewTeams } from './own-team-sql.ts'

/** A team that a person creates in the console. */
export const OwnTeam = v.object({ name: singleLineText(100) })

interface OwnTeamRequest {
  name: string
  language: Language
  account: { id: string; email: string; name: string }
  /** The client's network address. */
  address: string
}

const maxTeamsPerDay = 10

/**
 * Creates a team whose admin is the owner of an account. Its slug is made from its name. Throws
 * `validation_failed` for the eleventh team of an account within 24 hours.
 */
export async function createOwnTeam(
  ctx: ServiceContext,
  { name, language, account, address }: OwnTeamRequest,
): Promise<Team> {
  return await inTransaction(ctx, async (txCtx) => {
    const since = new Date(txCtx.now().getTime() - dayMs)
    if ((await countNewTeams(txCtx.sql, account.id, since)) >= maxTeamsPerDay) {
      const message = `you have created ${maxTeamsPerDay} teams today; create the next one tomorrow`
      throw invalidField('/name', message, 'too_many')
    }
    const base = slugify(name, { longest: 50, otherwise: 'team' })
    // Slugs are unique in the installation; a suffix says nothing about the teams of others.
    const slug = `${base}-${randomSuffix()}`
    const team = await createTeam(txCtx, { slug, name, language })
    const member = await promoteAdmin(systemContext(txCtx, team.id), account)
    const actor = memberActor({ ...member, team_id: team.id }, address)
    await recordAudit({ ...txCtx, actor }, 'team_created', team.name)
    return team
  })
}
