/** The time at which the fixtures were written, and at which the tests play them. */
export const fixturesWrittenAt = new Date('2026-11-20T09:00:00Z')

const weekMs = 7 * 86_400_000

/**
 * A day of a fixture (`YYYY-MM-DD`), moved by whole weeks: it is as far ahead of `now` as it was when the fixture was
 * written, or up to a week more.
 */
export function dayNear(day: string, now: Date): string {
  const weeks = Math.ceil((now.getTime() - fixturesWrittenAt.getTime()) / weekMs)
  return new Date(Date.parse(day) + weeks * weekMs).toISOString().slice(0, 10)
}
