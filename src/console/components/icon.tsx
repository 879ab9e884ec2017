/** SVG path data on a 24 × 24 grid. */
const iconPaths = {
  library: 'M4 5h16v5H4zM4 14h16v5H4zM8 7.5h5M8 16.5h5',
  newsletters: 'M5 3.5h14v17H5zM8.5 8h7M8.5 12h7M8.5 16h4',
  events: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5V7M15.5 3.5V7',
  integrations: 'M9 3.5V8M15 3.5V8M6.5 8h11v4a5.5 5.5 0 0 1-11 0zM12 17.5v3',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
  book: 'M5 4.5h11a3 3 0 0 1 3 3v12H8a3 3 0 0 1-3-3zM5 16.5a3 3 0 0 1 3-3h11',
  welcome: 'M6 21V4M6 5h11l-2.5 4L17 13H6',
  phone: 'M7.5 3h9v18h-9zM11 17.5h2',
  desktop: 'M3.5 4.5h17v11.5h-17zM8.5 20h7M12 16v4',
  light:
    'M12 15.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4',
  dark: 'M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17v.5',
  plus: 'M12 5v14M5 12h14',
  chevron: 'M8 10l4 4 4-4',
  up: 'M8 14l4-4 4 4',
  edit: 'M4.5 19.5l1-4.5L16 4.5l3.5 3.5L9 18.5zM13.5 7l3.5 3.5',
  comment: 'M4 5h16v11H12l-5 4v-4H4z',
  keyboard: 'M3 7h18v10.5H3zM7 10.5v.01M10.3 10.5v.01M13.7 10.5v.01M17 10.5v.01M8.5 14h7',
  filter: 'M4 6h16M7 12h10M10 18h4',
  chat: 'M4 5h16v11h-9l-4.5 4v-4H4z',
  signOut: 'M14 4.5H5v15h9M10.5 12h10M17 8.5l3.5 3.5-3.5 3.5',
  close: 'M7 7l10 10M17 7L7 17',
  drag: 'M9 6v.5M15 6v.5M9 12v.5M15 12v.5M9 18v.5M15 18v.5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  key: 'M14.5 9.5m-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M11 13l-7 7M6.5 17.5l2.5 2.5',
  mail: 'M3.5 6h17v12.5h-17zM4 7l8 6.5L20 7',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 19.5a6.5 6.5 0 0 1 13 0M16 5a3.3 3.3 0 0 1 0 6.2M18 14a6 6 0 0 1 3.5 5.5',
} as const
export type IconName = keyof typeof iconPaths

/** A decorative icon beside its label; it is hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  )
}

/** The definitions of icons that a page repeats often, once per page; `SharedIcon` shows them. */
export function IconSymbols({ names }: { names: readonly IconName[] }) {
  return (
    <svg hidden aria-hidden="true">
      {names.map((name) => (
        <symbol id={`icon-${name}`} viewBox="0 0 24 24">
          <path d={iconPaths[name]} />
        </symbol>
      ))}
    </svg>
  )
}

/**
 * A decorative icon that `IconSymbols` defines, in a button with a name of its own: its content is not read. Its size
 * is in the styles, because a newsletter repeats it for each block.
 */
export function SharedIcon({ name }: { name: IconName }) {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: the content of a button with a name is not read
    <svg class="icon">
      <use href={`#icon-${name}`} />
    </svg>
  )
}
