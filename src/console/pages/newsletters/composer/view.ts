import { type BlockType, blockTypes } from '../../../../contract/vocabulary.ts'
import type { FrameImages } from '../../../http/email-frame.ts'

const panels = ['newsletter', 'library', 'preview'] as const
const widths = ['desktop', 'phone'] as const
const images: readonly FrameImages[] = ['own', 'none', 'all']
const schemes = ['light', 'dark'] as const
const statuses = ['ready', 'draft', 'used', 'all'] as const

/** The view of the composer. It is in the query of the URL, so that it stays after a change. */
export interface ComposerView {
  /** The visible panel on narrow screens. */
  panel: (typeof panels)[number]
  width: (typeof widths)[number]
  scheme: (typeof schemes)[number]
  images: FrameImages
  /** The status filter of the library. */
  status: (typeof statuses)[number]
  type: BlockType | ''
  q: string
  /** The id of the last block of the previous page; empty for the first page. */
  after: string
}

const blockId = /^cb_[0-9a-f]{32}$/

/** Parses the view; invalid values are ignored. */
export function viewOf(parameters: URLSearchParams): ComposerView {
  const text = (name: string) => parameters.get(name) ?? ''
  const after = text('after')
  return {
    panel: panels.find((one) => one === text('panel')) ?? 'newsletter',
    width: widths.find((one) => one === text('width')) ?? 'desktop',
    scheme: schemes.find((one) => one === text('scheme')) ?? 'light',
    images: images.find((one) => one === text('images')) ?? 'own',
    status: statuses.find((one) => one === text('status')) ?? 'ready',
    type: blockTypes.find((one) => one === text('type')) ?? '',
    q: text('q').replaceAll('\0', '').slice(0, 200),
    after: blockId.test(after) ? after : '',
  }
}

const defaultView = viewOf(new URLSearchParams())

/** The query of a view, with `?`; empty for the default view. */
export function queryOf(view: ComposerView): string {
  const changed = Object.entries(view).filter(([name, value]) => {
    return value !== Object.entries(defaultView).find(([plain]) => plain === name)?.[1]
  })
  const query = new URLSearchParams(Object.fromEntries(changed)).toString()
  return query && `?${query}`
}
