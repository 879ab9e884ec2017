import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ContentBlock } from '../../contract/blocks/content-block.ts'
import type { Integration } from '../../features/connections/index.ts'
import { Icon, type IconName } from './icon.tsx'

/** The files of the logos by the slug of the provider. */
const logoUrls = () => ({
  asana: import.meta.resolve('simple-icons/icons/asana.svg'),
  bitbucket: import.meta.resolve('simple-icons/icons/bitbucket.svg'),
  confluence: import.meta.resolve('simple-icons/icons/confluence.svg'),
  discord: import.meta.resolve('simple-icons/icons/discord.svg'),
  feed: import.meta.resolve('simple-icons/icons/rss.svg'),
  gitea: import.meta.resolve('simple-icons/icons/gitea.svg'),
  github: import.meta.resolve('simple-icons/icons/github.svg'),
  gitlab: import.meta.resolve('simple-icons/icons/gitlab.svg'),
  'google-chat': import.meta.resolve('simple-icons/icons/googlechat.svg'),
  greenhouse: import.meta.resolve('simple-icons/icons/greenhouse.svg'),
  hibob: import.meta.resolve('simple-icons/icons/hibob.svg'),
  jira: import.meta.resolve('simple-icons/icons/jira.svg'),
  linear: import.meta.resolve('simple-icons/icons/linear.svg'),
  mattermost: import.meta.resolve('simple-icons/icons/mattermost.svg'),
  notion: import.meta.resolve('simple-icons/icons/notion.svg'),
  slack: import.meta.resolve('simple-icons/icons/slack.svg'),
  'slack-incoming': import.meta.resolve('simple-icons/icons/slack.svg'),
})

const square = 'M4 0h16a4 4 0 0 1 4 4v16a4 4 0 0 1-4 4H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z'

/** The first letters of providers whose logos are not in simple-icons, cut out of a square. */
const monograms = {
  'azure-devops': `${square}M10.4 5.5 5.5 18.5h3l1-2.8h5l1 2.8h3l-4.9-13zM12 8.8l1.6 4.4h-3.2z`,
  bamboohr: `${square}M7 5.5v13h6.1a3.8 3.8 0 0 0 2.2-6.9 3.5 3.5 0 0 0-2.6-6.1zM9.8 7.9h2.7a1.3 1.3 0 0 1 0 2.6H9.8zM9.8 12.9h3.1a1.6 1.6 0 0 1 0 3.2H9.8z`,
  teams: `${square}M6.5 5.5v2.8h4.1v10.2h2.8V8.3h4.1V5.5z`,
}

export type ProviderLogos = ReadonlyMap<string, string>

/** Reads the logos and monograms of the providers as SVG path data. Throws when a file is missing. */
export function readProviderLogos(): ProviderLogos {
  const entries = Object.entries(logoUrls()).map(([slug, url]) => {
    const [, path] = / d="([^"]+)"/.exec(readFileSync(fileURLToPath(url), 'utf8')) ?? []
    if (!path) throw new Error(`${url} contains no path`)
    return [slug, path] as const
  })
  return new Map([...Object.entries(monograms), ...entries])
}

const sourceIcons = {
  manual: 'account',
  submission: 'mail',
  ai_draft: 'newsletters',
  agent: 'key',
  webhook: 'integrations',
} as const satisfies Record<ContentBlock['source'], IconName>

/** The logo of the provider of a block, or an icon for its source. Screen readers read the name beside it. */
export function BlockLogo({ logos, block }: { logos: ProviderLogos; block: ContentBlock }) {
  const provider = block.origin?.provider ?? ''
  const fallback = provider === 'icalendar' ? 'events' : sourceIcons[block.source]
  return <ProviderLogo logos={logos} slug={provider} fallback={fallback} />
}

const categoryIcons = {
  chat: 'chat',
  tracker: 'check',
  hr: 'people',
  notes: 'book',
  feed: 'events',
} as const satisfies Record<Integration['category'], IconName>

/** The logo of an integration, or the icon of its category. */
export function IntegrationLogo({
  logos,
  catalog,
  slug,
}: {
  logos: ProviderLogos
  catalog: readonly Integration[]
  slug: string
}) {
  const category = catalog.find((integration) => integration.slug === slug)?.category
  const fallback = category ? categoryIcons[category] : 'integrations'
  return <ProviderLogo logos={logos} slug={slug} fallback={fallback} />
}

interface ProviderLogoProps {
  logos: ProviderLogos
  slug: string
  /** The icon of a provider without a logo. */
  fallback: IconName
}

/** The logo of a provider in one color. Screen readers read the name beside it. */
function ProviderLogo({ logos, slug, fallback }: ProviderLogoProps) {
  const path = logos.get(slug)
  if (!path) return <Icon name={fallback} />
  return (
    <svg
      class="icon"
      viewBox="-1 -1 26 26"
      width="20"
      height="20"
      fill="currentColor"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}
