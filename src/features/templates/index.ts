export { createTemplate, NewTemplate } from './create.ts'
export { getTemplate, toTemplate } from './get.ts'
export { listTemplates } from './list.ts'
export { type Base, layoutSources, type MailTemplate } from './system/index.ts'
