import type { ContentBlock } from '../../../contract/blocks/content-block.ts'
import { getBlock } from '../../../features/content-blocks/index.ts'
import type { MemberRequest } from '../../http/context.ts'

/** The block in the path. Throws `not_found`. */
export const loadBlock = ({ ctx, params }: MemberRequest): Promise<ContentBlock> =>
  getBlock(ctx, params['id'] ?? '')
