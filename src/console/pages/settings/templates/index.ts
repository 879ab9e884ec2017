import { Elysia } from 'elysia'
import type { ConsoleDeps } from '../../../http/context.ts'
import { templateEditPages } from './edit.tsx'
import { templateListPages } from './list.tsx'

/** All routes below `/settings/templates`. */
export const templatePages = (deps: ConsoleDeps) =>
  new Elysia().use(templateEditPages(deps)).use(templateListPages(deps))
