import * as v from 'valibot'
import { described } from './described.ts'
import {
  contentAddress,
  emptyAsNull,
  hexColor,
  linkAddress,
  multilineText,
  singleLineText,
} from './text.ts'
import { archiveModes, languages, newsletterCadences } from './vocabulary.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
const whole = (min: number) => v.pipe(v.number(), v.integer(), v.minValue(min))

/** How much of a plan is used; `limit` is -1 exactly when `unlimited`. */
export const UsageCounter = v.strictObject({
  used: described(whole(0), 'How much is used.', 8),
  limit: described(whole(-1), 'How much the plan allows; -1 when it is unlimited.', 100),
  unlimited: described(v.boolean(), 'True when the plan sets no limit.', false),
})
export type UsageCounter = v.InferOutput<typeof UsageCounter>

const unlimited = { used: 41, limit: -1, unlimited: true }

export const Plan = v.strictObject({
  name: described(v.string(), 'The name of the plan.', 'Self-hosted'),
  key: described(v.string(), 'The name of the plan for programs.', 'self_hosted'),
})

export const Usage = v.strictObject({
  newsletters: described(UsageCounter, 'Newsletters created in the period.', unlimited),
  content_blocks: described(UsageCounter, 'Content blocks created in the period.', unlimited),
  ai_generations: described(UsageCounter, 'AI drafts made in the period.', {
    used: 8,
    limit: 100,
    unlimited: false,
  }),
  team_members: described(UsageCounter, 'Members of the team, now.', unlimited),
  period_start: described(instant, 'When the calendar month began.', '2026-11-01T00:00:00.000Z'),
  period_end: described(instant, 'When the next one begins.', '2026-12-01T00:00:00.000Z'),
})

/** A field that may be empty, which is null. */
const emptyOr = <const Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
  example: string,
) => described(emptyAsNull(schema), description, example)

const archive = described(
  v.picklist(archiveModes),
  'Who can read the sent newsletters of the team: nobody (`off`), everybody with the link (`link`) or members who are signed in (`members`).',
  'members',
)

const voice = {
  tone: 'Warm and short. We say “you”.',
  words_to_avoid: ['synergy', 'exciting'],
  example_texts: ['Say hello to Ada, who joined the platform team on Monday.'],
}

export const maxExampleCharacters = 4000

/** Words that a language model does not use. */
export const WordsToAvoid = v.pipe(
  v.array(singleLineText(50)),
  v.maxLength(50, 'may have at most 50 words'),
)

/** What `PATCH /team` changes; what is left out stays as it is. */
export const TeamChange = v.partial(
  v.strictObject({
    name: described(singleLineText(100), 'The name of the team.', 'Acme'),
    brand_color: described(hexColor, 'The color of its newsletters.', '#8b5cf6'),
    newsletter_cadence: described(
      v.picklist(newsletterCadences),
      'How often the team plans to send a newsletter.',
      'weekly',
    ),
    language: described(
      v.picklist(languages),
      'The language of the texts that Tidings adds to what people wrote, as an ISO 639-1 code.',
      'de',
    ),
    logo_url: emptyOr(
      contentAddress,
      'The image in the header of its newsletters; null for none.',
      'https://news.example.com/media/5f2b.png',
    ),
    logo_alt: emptyOr(singleLineText(500), 'What the logo shows.', 'Acme'),
    contact: emptyOr(
      singleLineText(255),
      'Whom readers ask: an email address, a web address or words; null for none.',
      'news@example.com',
    ),
    tone: emptyOr(
      singleLineText(200),
      'How texts sound that the AI writes for the team; null for no tone.',
      voice.tone,
    ),
    words_to_avoid: described(
      WordsToAvoid,
      'Words that the AI does not use.',
      voice.words_to_avoid,
    ),
    example_texts: described(
      v.pipe(
        v.array(multilineText(maxExampleCharacters)),
        v.maxLength(3, 'may have at most 3 texts'),
      ),
      'Texts of past newsletters whose voice the AI imitates.',
      voice.example_texts,
    ),
    share_url: emptyOr(
      linkAddress,
      'Where “Share your news” leads: a web address or an email address; null for the submission form of the team, if it has one.',
      'https://forms.example.com/news',
    ),
    archive,
  }),
)

/** A team as `GET /team` shows it. The period runs from `period_start` to just before `period_end`. */
export const Team = v.strictObject({
  name: described(v.string(), 'The name of the team.', 'Acme'),
  slug: described(v.string(), 'The name of the team in addresses.', 'acme'),
  brand_color: described(
    v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/)),
    'The color of its newsletters.',
    '#8b5cf6',
  ),
  newsletter_cadence: described(
    v.picklist(newsletterCadences),
    'How often the team plans to send a newsletter.',
    'weekly',
  ),
  language: described(
    v.picklist(languages),
    'The language of the texts that Tidings adds to what people wrote, as an ISO 639-1 code.',
    'en',
  ),
  logo_url: described(
    v.nullable(v.string()),
    'The image in the header of its newsletters.',
    'https://news.example.com/media/5f2b.png',
  ),
  logo_alt: described(v.nullable(v.string()), 'What the logo shows.', 'Acme'),
  contact: described(
    v.nullable(v.string()),
    'Whom readers ask: an email address, a web address or words.',
    'news@example.com',
  ),
  share_url: described(
    v.nullable(v.string()),
    'Where “Share your news” leads: a web address or `mailto:`. Without it, to the submission form of the team, if it has one.',
    'https://forms.example.com/news',
  ),
  archive,
  archive_url: described(
    v.nullable(v.string()),
    'The archive of the sent newsletters; null while it is off.',
    'https://news.example.com/archive/Qm9va3M',
  ),
  tone: described(
    v.nullable(v.string()),
    'How texts sound that the AI writes for the team.',
    voice.tone,
  ),
  words_to_avoid: described(
    v.array(v.string()),
    'Words that the AI does not use.',
    voice.words_to_avoid,
  ),
  example_texts: described(
    v.array(v.string()),
    'Texts of past newsletters whose voice the AI imitates.',
    voice.example_texts,
  ),
  member_count: described(whole(0), 'The number of its members.', 12),
  plan: described(Plan, 'The plan of the team.', { name: 'Self-hosted', key: 'self_hosted' }),
  usage: described(Usage, 'How much of the plan is used.', {
    newsletters: unlimited,
    content_blocks: unlimited,
    ai_generations: { used: 8, limit: 100, unlimited: false },
    team_members: unlimited,
    period_start: '2026-11-01T00:00:00.000Z',
    period_end: '2026-12-01T00:00:00.000Z',
  }),
})
export type Team = v.InferOutput<typeof Team>
