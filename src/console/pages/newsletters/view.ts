import { type BlockType, blockTypes } from '../../../contract/vocabulary.ts'

const panes = ['issue', 'library', 'preview'] as const
const widths = ['desktop', 'phone'] as const
const images = ['hidden', 'shown'] as const
const schemes = ['light', 'dark'] as const
const shelves = ['ready', 'draft', 'used', 'all'] as const

/** What of the composer somebody looks at; it travels in the address, so that it lasts through changes. */
export interface View {
  /** The side that is open where there is no room for all. */
  pane: (typeof panes)[number]
  width: (typeof widths)[number]
  scheme: (typeof schemes)[number]
  /** Whether the preview loads the images of other websites. */
  images: (typeof images)[number]
  /** Which blocks of the library are shown. */
  status: (typeof shelves)[number]
  type: BlockType | ''
  q: string
  /** The block to read on after; empty for the first page. */
  after: string
}

const blockId = /^cb_[0-9a-f]{32}$/

/** The view that an address asks for; what means nothing is left out. */
export function viewOf(parameters: URLSearchParams): View {
  const text = (name: string) => parameters.get(name) ?? ''
  const after = text('after')
  return {
    pane: panes.find((one) => one === text('pane')) ?? 'issue',
    width: widths.find((one) => one === text('width')) ?? 'desktop',
    scheme: schemes.find((one) => one === text('scheme')) ?? 'light',
    images: images.find((one) => one === text('images')) ?? 'hidden',
    status: shelves.find((one) => one === text('status')) ?? 'ready',
    type: blockTypes.find((one) => one === text('type')) ?? '',
    q: text('q').replaceAll('\0', '').slice(0, 200),
    after: blockId.test(after) ? after : '',
  }
}

const plainView = viewOf(new URLSearchParams())

/** A view as the end of an address, `?` included; empty for what everybody sees first. */
export function queryOf(view: View): string {
  const told = Object.entries(view).filter(([name, value]) => {
    return value !== Object.entries(plainView).find(([plain]) => plain === name)?.[1]
  })
  const query = new URLSearchParams(Object.fromEntries(told)).toString()
  return query && `?${query}`
}
