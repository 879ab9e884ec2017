/**
 * Returns a function that computes the value of each key once. The keys come from requests, so their number is
 * limited: with more than `max`, all values are deleted.
 */
export function boundedCache<Value>(max: number) {
  const values = new Map<string, Value>()
  return (key: string, compute: () => Value): Value => {
    const known = values.get(key)
    if (known !== undefined) return known
    const value = compute()
    if (values.size >= max) values.clear()
    values.set(key, value)
    return value
  }
}
