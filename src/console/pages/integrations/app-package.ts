import { Elysia } from 'elysia'
import { notFound } from '../../../lib/errors.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { loadWithIntegration } from './connection/load-connection.ts'

/** The package with which an admin installs the app of a connection at the provider. Throws `not_found` without one. */
async function download(context: MemberRequest): Promise<Response> {
  const { connection, integration } = await loadWithIntegration(context)
  const { baseUrl, now } = context.deps
  const bytes = await integration.appPackage?.(connection.settings, baseUrl, now())
  if (!bytes) throw notFound('The app of this connection')
  return new Response(Buffer.from(bytes), {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="tidings-${integration.slug}.zip"`,
    },
  })
}

/** The route that returns the app of a connection. */
export const appPackagePages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/integrations/:id/app-package', download, { role: 'admin' })
