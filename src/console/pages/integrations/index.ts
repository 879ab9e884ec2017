import { Elysia } from 'elysia'
import type { ConsoleDeps } from '../../http/context.ts'
import { appPackagePages } from './app-package.ts'
import { catalogPages } from './catalog.tsx'
import { connectPages } from './connect.tsx'
import { deliveryPages } from './connection/deliveries.tsx'
import { messagePages } from './connection/messages.tsx'
import { connectionPages } from './connection/page.tsx'
import { connectionSettingsPages } from './connection/settings.tsx'
import { dryRunPages } from './dry-run/page.tsx'
import { installPages } from './install.tsx'
import { promptPages } from './prompts.tsx'
import { routePages } from './routes.tsx'

/** All routes below `/integrations`. */
export const integrationPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(appPackagePages(deps))
    .use(catalogPages(deps))
    .use(connectPages(deps))
    .use(connectionPages(deps))
    .use(connectionSettingsPages(deps))
    .use(deliveryPages(deps))
    .use(dryRunPages(deps))
    .use(installPages(deps))
    .use(messagePages(deps))
    .use(promptPages(deps))
    .use(routePages(deps))
