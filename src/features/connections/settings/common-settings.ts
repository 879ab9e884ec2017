import * as v from 'valibot'
import type { IngestPayload } from '../../../contract/blocks/ingest.ts'
import { flag, isListed, list } from '../../../contract/settings.ts'
import { slug } from '../../../contract/text.ts'
import { blockTypes } from '../../../contract/vocabulary.ts'

/** The settings that every connection has, whatever its adapter. */
export const CommonSettings = v.object({
  auto_ready: flag(),
  block_type: v.optional(v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`)),
  event_slug: v.optional(slug),
  /** The events that are forwarded, by name; all of them when empty. */
  events: list(),
  /** Whether the items of one repository or project and one week become one block. */
  group: v.optional(v.picklist(['week', 'week_all'], 'must be week or week_all')),
})
export type CommonSettings = v.InferOutput<typeof CommonSettings>

/**
 * True when a list names an event, in any case: its full name (`release.published`), its name up to
 * the first dot (`release`), or a pattern in which `*` stands for any characters.
 */
export const isEvent = (patterns: readonly string[], event: string): boolean =>
  [event, event.split('.')[0] ?? ''].some((name) => isListed(patterns, name))

/** What an adapter composed, with the settings of the connection applied to each item. */
export const applyConnectionSettings = <
  Group extends { onRequest?: true },
  Composed extends { items: (IngestPayload & { group?: Group })[] },
>(
  composed: Composed,
  common: CommonSettings,
): Composed => ({ ...composed, items: composed.items.map((item) => withSettings(item, common)) })

/**
 * An item with the settings of its connection that apply to all blocks; it keeps its group only
 * when the connection collects such items.
 */
function withSettings<Group extends { onRequest?: true }>(
  { group, ...item }: IngestPayload & { group?: Group },
  common: CommonSettings,
): IngestPayload & { group?: Group } {
  const keepsGroup =
    group &&
    common.group !== undefined &&
    (common.group === 'week_all' || !group.onRequest) &&
    // An item with a date of publication waits for that date without further settings.
    !item.publish_after
  return {
    ...item,
    block_type: common.block_type ?? item.block_type,
    event_slug: item.event_slug ?? common.event_slug,
    // An adapter can require a review of an item, but cannot skip it.
    auto_ready: common.auto_ready && item.auto_ready !== false,
    ...(keepsGroup && { group }),
  }
}

/** The reason why the connection excludes an event; `undefined` when it does not. */
export function filterReason({ events }: CommonSettings, name: string | undefined) {
  return events.length === 0 || (name !== undefined && isEvent(events, name))
    ? undefined
    : `${name || 'it'}: not on the list of this connection (events)`
}
