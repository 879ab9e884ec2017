import type { Children } from '@kitajs/html'
import type { Connection, Integration } from '../../../../features/connections/index.ts'
import { layout } from '../../../components/layout/layout.tsx'
import { IntegrationLogo } from '../../../components/provider-logo.tsx'
import { connectionName } from '../../../components/provider-name.ts'
import type { MemberRequest } from '../../../http/context.ts'
import type { TextKey } from '../../../locales/index.ts'
import { integrationOf } from './load-connection.ts'

interface ConnectionTab {
  path: string
  title: TextKey
  /** Whether an integration has the page; all integrations have it when it is left out. */
  isShown?: (integration: Integration | undefined) => boolean
}

const sendsMessages = (integration: Integration | undefined) => Boolean(integration?.sendsMessages)

const tabs = [
  { path: '', title: 'integrations.overview' },
  { path: '/prompts', title: 'prompts.link', isShown: sendsMessages },
  { path: '/messages', title: 'integrations.messages', isShown: sendsMessages },
  {
    path: '/routes',
    title: 'integrations.routes',
    isShown: (integration) => Boolean(integration?.hasSources),
  },
  { path: '/try', title: 'integrations.test_a_request' },
  { path: '/settings', title: 'common.settings' },
] as const satisfies readonly ConnectionTab[]

interface ConnectionLayoutOptions {
  connection: Connection
  title: string
  /** The path of the current tab. */
  tab: (typeof tabs)[number]['path']
  /** The actions of the page. */
  actions?: Children
}

/** A page of a connection: its name, actions and tabs, and `body`. */
export const connectionLayout = (
  context: MemberRequest,
  { title, ...header }: ConnectionLayoutOptions,
  body: JSX.Element,
): Promise<Response> =>
  layout(
    context,
    { title, section: 'integrations' },
    <>
      <ConnectionHeader context={context} {...header} />
      {body}
    </>,
  )

function ConnectionHeader({
  context,
  connection,
  tab,
  actions,
}: Omit<ConnectionLayoutOptions, 'title'> & { context: MemberRequest }) {
  const { t, deps } = context
  const integration = integrationOf(context, connection)
  const shown = tabs.filter(({ isShown }: ConnectionTab) => isShown?.(integration) ?? true)
  return (
    <>
      <div class="page-header">
        <div>
          <p class="breadcrumb">
            <a href="/integrations">{t('common.integrations')}</a>
          </p>
          <h1 class="connection-title">
            <IntegrationLogo
              logos={deps.logos}
              catalog={deps.integrations.catalog}
              slug={connection.adapter}
            />
            <span safe>{connectionName(context, connection)}</span>
          </h1>
        </div>
        <div class="page-actions">{actions}</div>
      </div>
      <nav class="tabs" aria-label={t('integrations.this_connection')}>
        {shown.map(({ path, title }) => (
          <a
            href={`/integrations/${connection.id}${path}`}
            aria-current={path === tab ? 'page' : undefined}
          >
            {t(title)}
          </a>
        ))}
      </nav>
    </>
  )
}
