/** A slug for URLs and commands from a name: “Acme & Söhne” becomes `acme-sohne`. */
export function slugify(
  name: string,
  { longest, otherwise }: { longest: number; otherwise: string },
) {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return slug.slice(0, longest).replace(/-+$/, '') || otherwise
}
