import type { ProcessedImage } from './process.ts'

const extensions = { jpeg: 'jpg', png: 'png' } as const

/** The name of an image's file: its hash and its type. */
export const fileNameOf = ({ hash, type }: Pick<ProcessedImage, 'hash' | 'type'>): string =>
  `${hash}.${extensions[type]}`

/** The hash and content type that a file name states, or null for a name that is none of ours. */
export function parseFileName(name: string): { hash: string; contentType: string } | null {
  const [, hash, extension] = /^([0-9a-f]{64})\.(jpg|png)$/.exec(name) ?? []
  if (hash === undefined) return null
  return { hash, contentType: extension === 'png' ? 'image/png' : 'image/jpeg' }
}

/** The hash in the address of an image of ours, or null. */
export const hashInAddress = (address: string): string | null =>
  /\/media\/([0-9a-f]{64})\.(?:jpg|png)$/.exec(address)?.[1] ?? null

/** The hashes of all images of ours that a text refers to, each once. */
export const hashesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\/media\/([0-9a-f]{64})\./g)].map(([, hash = '']) => hash)),
]
