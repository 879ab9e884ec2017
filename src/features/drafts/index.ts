export { createDrafts, type Drafts } from './drafts.ts'
export { createProvider, type ProviderSettings } from './provider.ts'
