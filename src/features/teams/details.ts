import type { ArchiveMode, Language, NewsletterCadence } from '../../contract/vocabulary.ts'
import type { ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { type PlanLimits, selectTeamDetails, type TeamDetailsRow } from './sql.ts'

/** A team with its plan; a limit of -1 is unlimited. */
export interface TeamDetails {
  id: string
  slug: string
  name: string
  brandColor: string
  newsletterCadence: NewsletterCadence
  language: Language
  /** The image in the header of newsletters. */
  logoUrl: string | null
  logoAlt: string | null
  /** In the footer of newsletters: an email address, a web address or words. */
  contact: string | null
  /** Where readers send their own news: a web address, or `mailto:`. */
  shareUrl: string | null
  /** How texts of a language model sound. */
  tone: string | null
  wordsToAvoid: readonly string[]
  exampleTexts: readonly string[]
  archive: ArchiveMode
  /** What the address of the archive contains; null while it is off. */
  archiveToken: string | null
  plan: { key: string; name: string; limits: PlanLimits }
}

/**
 * A team with its limits. `aiDraftsPerMonth` is the operator's setting, which replaces the limit of
 * the plan; null keeps the limit of the plan. Throws `not_found`.
 */
export async function getTeamDetails(
  { sql, actor: { teamId } }: ReadContext,
  aiDraftsPerMonth: number | null,
): Promise<TeamDetails> {
  const row = await withDeadline(selectTeamDetails(sql, teamId))
  if (!row) throw notFound('The team')
  return toTeamDetails(row, aiDraftsPerMonth)
}

/** A stored team with its plan; `aiDraftsPerMonth` as for `getTeamDetails`. */
export function toTeamDetails(row: TeamDetailsRow, aiDraftsPerMonth: number | null): TeamDetails {
  const limits = {
    newsletters: row.newsletters,
    content_blocks: row.content_blocks,
    ai_generations: aiDraftsPerMonth ?? row.ai_generations,
    team_members: row.team_members,
  }
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    brandColor: row.brand_color,
    newsletterCadence: row.newsletter_cadence,
    language: row.language,
    logoUrl: row.logo_url,
    logoAlt: row.logo_alt,
    contact: row.contact,
    shareUrl: row.share_url,
    tone: row.tone,
    wordsToAvoid: row.words_to_avoid,
    exampleTexts: row.example_texts,
    archive: row.archive,
    archiveToken: row.archive_token,
    plan: { key: row.plan_key, name: row.plan_name, limits },
  }
}
