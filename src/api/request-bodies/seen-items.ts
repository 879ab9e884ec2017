import type { NewItem } from '../../features/ingest/index.ts'

/** The items of a request that came before another one, each with what is known about it. */
export interface SeenItems<Known> {
  byExternalId: Map<string, Known>
  byKey: Map<string, { requestHash: string; known: Known }>
}

/** No items. */
export const noSeenItems = <Known>(): SeenItems<Known> => ({
  byExternalId: new Map(),
  byKey: new Map(),
})

/** What is known about an earlier item that is the same; `reused` when its Idempotency-Key is that of another one. */
export function findEarlier<Known>(
  { byExternalId, byKey }: SeenItems<Known>,
  { item, idempotencyKey }: NewItem,
): Known | 'reused' | undefined {
  const seen = idempotencyKey && byKey.get(idempotencyKey.key)
  if (seen) return seen.requestHash === idempotencyKey.requestHash ? seen.known : 'reused'
  return byExternalId.get(item.external_id ?? '')
}

/** Adds an item, unless an earlier one has its external id or its Idempotency-Key. */
export function remember<Known>(
  { byExternalId, byKey }: SeenItems<Known>,
  { item: { external_id: id }, idempotencyKey }: NewItem,
  known: Known,
): void {
  if (id && !byExternalId.has(id)) byExternalId.set(id, known)
  if (!idempotencyKey) return
  const { key, requestHash } = idempotencyKey
  if (!byKey.has(key)) byKey.set(key, { requestHash, known })
}
