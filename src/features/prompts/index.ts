export {
  addReply,
  askForNews,
  findPrompt,
  hasReplied,
  isAsking,
  listPrompts,
  remindContributors,
} from './ask.ts'
export type { PromptDay } from './dates.ts'
export { holidayCountries } from './holidays.ts'
export {
  getPromptSchedule,
  type PromptSchedule,
  type PromptSettings,
  purgePrompts,
  savePromptSchedule,
  setPromptMuted,
} from './schedule.ts'
