export { type AiDrafts, createAiDrafts } from './drafts.ts'
export { createProvider, type ProviderSettings } from './provider.ts'
export { purgeAiUsage } from './purge.ts'
