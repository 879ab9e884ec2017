import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ContentBlock } from '../../contract/blocks/content-block.ts'
import type { Integration } from '../../features/connections/index.ts'
import { Icon, type IconName } from './icon.tsx'

/** The files of the logos by the slug of the provider. Not every provider has one in simple-icons. */
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
  jira: import.meta.resolve('simple-icons/icons/jira.svg'),
  linear: import.meta.resolve('simple-icons/icons/linear.svg'),
  mattermost: import.meta.resolve('simple-icons/icons/mattermost.svg'),
  notion: import.meta.resolve('simple-icons/icons/notion.svg'),
  slack: import.meta.resolve('simple-icons/icons/slack.svg'),
  'slack-incoming': import.meta.resolve('simple-icons/icons/slack.svg'),
})

export type ProviderLogos = ReadonlyMap<string, string>

/** Reads the logos of the providers as SVG path data. Throws when a file is missing. */
export function readProviderLogos(): ProviderLogos {
  const entries = Object.entries(logoUrls()).map(([slug, url]) => {
    const [, path] = / d="([^"]+)"/.exec(readFileSync(fileURLToPath(url), 'utf8')) ?? []
    if (!path) throw new Error(`${url} contains no path`)
    return [slug, path] as const
  })
  return new Map(entries)
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
  return <ProviderLogo logos={logos} slug={provider} fallback={sourceIcons[block.source]} />
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
      viewBox="0 0 24 24"
      width="18"
      height="18"
      fill="currentColor"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}
