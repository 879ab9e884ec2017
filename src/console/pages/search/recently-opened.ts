import { getBlock } from '../../../features/content-blocks/index.ts'
import { getEvent } from '../../../features/events/index.ts'
import { getNewsletter } from '../../../features/newsletters/index.ts'
import { AppError } from '../../../lib/errors.ts'
import type { MemberRequest } from '../../http/context.ts'

/** An item that the person has opened before. */
interface OpenedItem {
  section: 'library' | 'newsletters' | 'events'
  path: string
  title: string
}

const maxListed = 5

/** The items at these paths of the console, which the browser remembers; without those that do not exist any more. */
export async function findOpened(
  context: MemberRequest,
  paths: readonly string[],
): Promise<OpenedItem[]> {
  const known = paths.filter((path) => itemPath.test(path)).slice(0, maxListed)
  const found = await Promise.all(known.map((path) => findItem(context, path)))
  return found.filter((item) => item !== null)
}

const itemPath = /^\/(library|newsletters|events)\/([\w-]{1,100})$/

async function findItem({ ctx }: MemberRequest, path: string): Promise<OpenedItem | null> {
  const [, section, id = ''] = itemPath.exec(path) ?? []
  try {
    if (section === 'library') return { section, path, title: (await getBlock(ctx, id)).title }
    if (section === 'newsletters')
      return { section, path, title: (await getNewsletter(ctx, id)).title }
    if (section === 'events') return { section, path, title: (await getEvent(ctx, id)).event.name }
    return null
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
