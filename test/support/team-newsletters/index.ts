import type { RenderableNewsletter } from '../../../src/features/newsletters/index.ts'
import { eventsAndPolls } from './events.ts'
import { german, japanese } from './languages.ts'
import { everything, quarterly } from './long.ts'
import { newFaces, singleWelcome } from './people.ts'
import { productDigest, releaseNotes } from './releases.ts'
import { announcement, kudosWall, quietWeek } from './short.ts'

/** Newsletters as different teams send them, for looking at templates and for checking all of them. */
export const teamNewsletters: Record<string, RenderableNewsletter> = {
  'a quiet week': quietWeek,
  'an announcement': announcement,
  'thank-you notes': kudosWall,
  'release notes': releaseNotes,
  'a product digest': productDigest,
  'new faces': newFaces,
  'a single welcome': singleWelcome,
  'events and polls': eventsAndPolls,
  'a German newsletter': german,
  'a Japanese newsletter': japanese,
  'a quarterly report': quarterly,
  'everything at once': everything,
}
