import type { Language } from '../../contract/vocabulary.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'

/** How the texts of a team sound. */
export interface Voice {
  tone: string | null
  words_to_avoid: readonly string[]
  example_texts: readonly string[]
  language: Language
}

const noVoice: Voice = { tone: null, words_to_avoid: [], example_texts: [], language: 'en' }

/** How the texts of a team sound, for texts that a language model writes. */
export async function getVoice(sql: Sql | Tx, teamId: string): Promise<Voice> {
  const [row] = await withDeadline(
    sql<Voice[]>`
      select tone, words_to_avoid, example_texts, language from teams where id = ${teamId}`,
  )
  return row ?? noVoice
}
