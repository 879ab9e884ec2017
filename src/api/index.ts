import { Elysia } from 'elysia'
import type { Logger } from 'pino'
import type { Now } from '../lib/clock.ts'
import { AppError, notFound } from '../lib/errors.ts'
import { createGate } from './gate.ts'
import type { ApiDeps, Method } from './operation.ts'
import { type Arrival, createPipeline, type Target } from './pipeline.ts'
import { operations } from './v1/index.ts'

export type { ApiDeps } from './operation.ts'

export interface ApiOptions {
  deps: ApiDeps
  now: Now
  log: Logger
  /** The client's address, as far as the operator trusts what names it. */
  addressOf(request: Request): string
}

/** What a route is called with; a path without parameters comes without `params`. */
interface Routed {
  request: Request
  params?: Arrival['params']
  server: { timeout(request: Request, seconds: number): void } | null
}

/** Mounts `/api/v1`: one route per operation, and an authenticated answer for everything else. */
export function createApi({ deps, now, log, addressOf }: ApiOptions) {
  const answer = createPipeline(deps, createGate(deps.authenticate, now), log)
  const app = new Elysia({ prefix: '/api/v1' })
  const mount = (methods: readonly string[], path: string, target: Target) => {
    const patience = 'timeoutSeconds' in target ? target.timeoutSeconds : undefined
    const handler = ({ request, params = {}, server }: Routed) => {
      if (patience !== undefined) server?.timeout(request, patience)
      return answer(target, { request, params, address: addressOf(request) })
    }
    for (const method of methods) app.route(method, path, handler, { parse: 'none' })
  }
  for (const operation of operations) {
    mount(
      operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method],
      operation.path,
      operation,
    )
  }
  for (const [path, methods] of methodsByPath()) mount(['ALL'], path, wrongMethod(methods))
  mount(['ALL'], '/', notFound('This path'))
  mount(['ALL'], '/*', notFound('This path'))
  return app
}

function methodsByPath(): Map<string, Method[]> {
  const methods = new Map<string, Method[]>()
  for (const { path, method } of operations) {
    methods.set(path, [...(methods.get(path) ?? []), method])
  }
  return methods
}

function wrongMethod(methods: readonly Method[]): AppError {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return new AppError('method_not_allowed', `This path knows ${allow.join(', ')}.`, {
    headers: { allow: allow.join(', ') },
  })
}
