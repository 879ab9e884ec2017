import { findKey as findKeyById, type Key } from '../../../../features/api-keys/index.ts'
import type { MemberRequest } from '../../../http/context.ts'

/** The key in the path; undefined when the team has no such key. */
export async function findKeyInPath(context: MemberRequest): Promise<Key | undefined> {
  return await findKeyById(context.ctx, context.params['id'] ?? '')
}
