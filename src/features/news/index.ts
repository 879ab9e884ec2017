export { type Retold, retell, withdrawNews } from './retell.ts'
export { type Gathered, gather } from './rollup.ts'
export type { NamedBlock, Teller } from './told.ts'
