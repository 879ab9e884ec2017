import type { Item } from '../../../integrations/kit/composed.ts'
import { applyConnectionSettings } from '../../features/connections/index.ts'
import type { DeliveryContext } from '../deps.ts'
import type { Of } from './post-items.ts'

type Connection = Pick<DeliveryContext['connection'], 'common'>

/**
 * Items with the settings of their connection. What the settings replace is stored with them, because a replay of stored
 * items applies the settings of its time.
 */
export const applySettings = (composed: Of<'items'>, { common }: Connection): Of<'items'> => ({
  ...applyConnectionSettings(composed, common),
  beforeSettings: composed.items.map(fieldsOf),
})

/** Stored items with the present settings of their connection in place of those with which they were stored. */
export const reapplySettings = (stored: Of<'items'>, connection: Connection): Of<'items'> => {
  const items = stored.items.map((item, index) => {
    const { block_type, event_slug: _, auto_ready: __, ...rest } = item
    return { ...rest, block_type, ...(stored.beforeSettings?.[index] ?? fieldsOf(item)) }
  })
  return { ...stored, items: applyConnectionSettings({ items }, connection.common).items }
}

/** The fields that settings replace. */
const fieldsOf = ({ block_type, event_slug, auto_ready }: Item) => ({
  block_type,
  ...(event_slug !== undefined && { event_slug }),
  ...(auto_ready !== undefined && { auto_ready }),
})
