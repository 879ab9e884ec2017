import { Elysia } from 'elysia'
import type { ConsoleDeps } from '../../http/context.ts'
import { eventPagePages } from './event.tsx'
import { eventFormPages } from './event-form.tsx'
import { eventListPages } from './list.tsx'

/** All routes below `/events`. */
export const eventPages = (deps: ConsoleDeps) =>
  new Elysia().use(eventListPages(deps)).use(eventPagePages(deps)).use(eventFormPages(deps))
