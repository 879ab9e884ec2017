import * as v from 'valibot'
import { newsletterCadences } from './vocabulary.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
const whole = (least: number) => v.pipe(v.number(), v.integer(), v.minValue(least))

/** How much of a plan is used; `limit` is -1 exactly when `unlimited`. */
export const UsageCounter = v.strictObject({
  used: whole(0),
  limit: whole(-1),
  unlimited: v.boolean(),
})
export type UsageCounter = v.InferOutput<typeof UsageCounter>

/** A team as `GET /team` shows it. The period runs from `period_start` to just before `period_end`. */
export const Team = v.strictObject({
  name: v.string(),
  slug: v.string(),
  brand_color: v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/)),
  newsletter_cadence: v.picklist(newsletterCadences),
  member_count: whole(0),
  plan: v.strictObject({ name: v.string(), key: v.string() }),
  usage: v.strictObject({
    newsletters: UsageCounter,
    content_blocks: UsageCounter,
    ai_generations: UsageCounter,
    team_members: UsageCounter,
    period_start: instant,
    period_end: instant,
  }),
})
export type Team = v.InferOutput<typeof Team>
