export { type PlanEmails, runSchedules } from './create-drafts.ts'
export { purgePlannedDates } from './purge.ts'
export { getSchedule, saveSchedule } from './schedule.ts'
export type { ScheduleSettings } from './sql.ts'
