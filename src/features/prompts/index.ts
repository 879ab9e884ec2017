// Questions to the people of a channel, which ask for news on a schedule. What a language model gets is also called a
// prompt: see ../ai-drafts/prompt.ts.
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
