import { type BlockType, blockTypes } from '../../../../contract/vocabulary.ts'
import type { MemberRequest } from '../../../http/context.ts'
import type { FrameImages } from '../../../http/email-frame.ts'

const panels = ['newsletter', 'outline', 'library'] as const
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
const cookieName = 'composer_view'

/** Parses the view; invalid values are ignored. What is not given is as `chosen` earlier. */
export function viewOf(
  parameters: URLSearchParams,
  chosen: Pick<ComposerView, 'width' | 'scheme'> = { width: 'desktop', scheme: 'light' },
): ComposerView {
  const text = (name: string) => parameters.get(name) ?? ''
  const after = text('after')
  return {
    panel: panels.find((one) => one === text('panel')) ?? 'newsletter',
    width: widths.find((one) => one === text('width')) ?? chosen.width,
    scheme: schemes.find((one) => one === text('scheme')) ?? chosen.scheme,
    images: images.find((one) => one === text('images')) ?? 'own',
    status: statuses.find((one) => one === text('status')) ?? 'ready',
    type: blockTypes.find((one) => one === text('type')) ?? '',
    q: text('q').replaceAll('\0', '').slice(0, 200),
    after: blockId.test(after) ? after : '',
  }
}

// MDN: browsers on phones have this word in their user agent.
const phoneBrowser = /\bMobi/

/**
 * The view that a request asks for. Width and color scheme are those that the person chose last; before
 * that, a phone shows the newsletter as phones do.
 */
export function requestedView({ url, request }: MemberRequest): ComposerView {
  const cookie = request.headers.get('cookie') ?? ''
  const [, width, scheme] = new RegExp(`(?:^|; ?)${cookieName}=(\\w+)\\.(\\w+)`).exec(cookie) ?? []
  const isPhone = phoneBrowser.test(request.headers.get('user-agent') ?? '')
  const usual = { width: isPhone ? 'phone' : 'desktop', scheme: 'light' } as const
  const chosen = viewOf(new URLSearchParams({ width: width ?? '', scheme: scheme ?? '' }), usual)
  return viewOf(url.searchParams, chosen)
}

const oneYearSeconds = 365 * 24 * 3600

/** Stores width and color scheme in the browser of the person who has just chosen one of them. */
export function rememberView(
  { url, deps }: MemberRequest,
  { width, scheme }: ComposerView,
  response: Response,
): void {
  if (!url.searchParams.has('width') && !url.searchParams.has('scheme')) return
  const secure = deps.baseUrl.startsWith('https:') ? '; Secure' : ''
  response.headers.append(
    'set-cookie',
    `${cookieName}=${width}.${scheme}; Path=/newsletters; Max-Age=${oneYearSeconds}; HttpOnly; SameSite=Lax${secure}`,
  )
}

const defaultView = viewOf(new URLSearchParams())
// The browser stores them.
const remembered = ['width', 'scheme']

/** The query of a view, with `?`; empty for the default view. */
export function queryOf(view: ComposerView): string {
  const changed = Object.entries(view).filter(([name, value]) => {
    const isDefault = value === Object.entries(defaultView).find(([plain]) => plain === name)?.[1]
    return !isDefault && !remembered.includes(name)
  })
  const query = new URLSearchParams(Object.fromEntries(changed)).toString()
  return query && `?${query}`
}
