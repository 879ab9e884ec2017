export type { ProviderSettings } from './ask.ts'
export { type AiDrafts, createAiDrafts } from './drafts.ts'
export { createProvider } from './provider.ts'
export { purgeAiUsage } from './purge.ts'
