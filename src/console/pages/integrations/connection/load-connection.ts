import {
  type Connection,
  getConnection,
  type Integration,
} from '../../../../features/connections/index.ts'
import { notFound } from '../../../../lib/errors.ts'
import { connectionContext, type MemberRequest } from '../../../http/context.ts'

/** The connection in the path. Throws `not_found`. */
export const getConnectionInPath = (context: MemberRequest): Promise<Connection> =>
  getConnection(connectionContext(context), context.params['id'] ?? '')

/** The integration of a connection; undefined when this installation does not have it any more. */
export const integrationOf = (
  { deps }: MemberRequest,
  { adapter }: Connection,
): Integration | undefined => deps.integrations.catalog.find(({ slug }) => slug === adapter)

/** The connection in the path with its integration. Throws `not_found` when either is missing. */
export async function loadWithIntegration(context: MemberRequest) {
  const connection = await getConnectionInPath(context)
  const integration = integrationOf(context, connection)
  if (!integration) throw notFound('This integration')
  return { connection, integration }
}
