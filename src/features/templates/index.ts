export { createTemplate, requireFreeTemplateSlug } from './create.ts'
export { findTemplate, getTemplate, lockUsedTemplate } from './get.ts'
export { listTemplates } from './list.ts'
export { defaultStyles } from './style.ts'
export {
  blockLayoutSources,
  inLanguage,
  layoutSources,
} from './system/index.ts'
export { deleteTemplate, requireOwnTemplate, updateTemplate } from './update.ts'
