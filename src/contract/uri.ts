/** What a URI contains beside its scheme, as RFC 3986 allows it. */
const character = String.raw`[\w.~!$&'()*+,;=:@-]|%[\da-f]{2}`
const uri = new RegExp(
  String.raw`^https?://(?:\[[\da-f:.]+\]|(?:${character})+)(?:/(?:${character}|/)*)?(?:\?(?:${character}|[/?])*)?(?:#(?:${character}|[/?])*)?$`,
  'i',
)

const maxCharacters = 2048

/**
 * A web address as a URI (RFC 3986), as browsers read it: people type spaces, `|` or letters of any script, which
 * strict programs refuse. One that is a URI already stays as it is, and so does one that would be too long.
 */
export function asUri(address: string): string {
  const url = uri.test(address) ? null : URL.parse(address)
  if (url === null) return address
  const { protocol, host, pathname, search, hash } = url
  const site = host.startsWith('[') ? host : encoded(host)
  const fragment = hash === '' ? '' : `#${encoded(hash.slice(1))}`
  const written = `${protocol}//${site}${encoded(pathname + search)}${fragment}`
  return written.length > maxCharacters ? address : written
}

/** Whether two web addresses are the same URI. */
export const isSameUri = (a: string | null, b: string | null): boolean =>
  a === b || (a !== null && b !== null && asUri(a) === asUri(b))

/** The stored addresses that a change states again as URIs. They stay as they are, so that the change makes no difference. */
export const sameAddresses = <Field extends string>(
  stored: Record<Field, string | null>,
  change: { [name in Field]?: string | null | undefined },
  fields: readonly Field[],
): Partial<Record<Field, string | null>> =>
  Object.fromEntries(
    fields
      .filter((field) => isSameUri(change[field] ?? null, stored[field]))
      .map((field) => [field, stored[field]]),
  ) as Partial<Record<Field, string | null>>

const encoded = (part: string): string =>
  part.replace(/[^\w.~!$&'()*+,;=:@/?%-]|%(?![\da-f]{2})/gi, encodeURIComponent)
