export { type Issue, type IssueBlock, type RenderedIssue, renderIssue } from './render.ts'
export type { MailTemplate } from './system/index.ts'
export { createTemplate, getTemplate, listTemplates, NewTemplate, toTemplate } from './templates.ts'
export { previewWarnings } from './warnings.ts'
