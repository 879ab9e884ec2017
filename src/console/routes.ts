import type { Route } from './page.ts'
import { accountRoutes } from './pages/account.tsx'
import { accountSessionRoutes } from './pages/account-sessions.tsx'
import { blockRoutes } from './pages/block.tsx'
import { comingRoutes } from './pages/coming.tsx'
import { eventPageRoutes } from './pages/event.tsx'
import { eventChangeRoutes } from './pages/event-changes.tsx'
import { eventRoutes } from './pages/events.tsx'
import { homeRoutes } from './pages/home.tsx'
import { catalogueRoutes } from './pages/integrations/catalogue.tsx'
import { changeRoutes } from './pages/integrations/change.tsx'
import { connectRoutes } from './pages/integrations/connect.tsx'
import { connectionRoutes } from './pages/integrations/connection.tsx'
import { deliveryRoutes } from './pages/integrations/deliveries.tsx'
import { tryOutRoutes } from './pages/integrations/try-out.tsx'
import { joinRoutes } from './pages/join.tsx'
import { loginRoutes } from './pages/login.tsx'
import { recoveryRoutes } from './pages/recovery.tsx'
import { auditRoutes } from './pages/settings/audit.tsx'
import { endKeyRoutes } from './pages/settings/end-key.tsx'
import { keyValueRoutes } from './pages/settings/key-value.tsx'
import { keyListRoutes } from './pages/settings/keys.tsx'
import { memberChangeRoutes } from './pages/settings/member-changes.tsx'
import { memberRoutes } from './pages/settings/members.tsx'
import { newKeyRoutes } from './pages/settings/new-key.tsx'
import { outboxRoutes } from './pages/settings/outbox.tsx'
import { teamRoutes } from './pages/settings/team.tsx'
import { usageRoutes } from './pages/settings/usage.tsx'
import { setupRoutes } from './pages/setup.tsx'
import { welcomeRoutes } from './pages/welcome.tsx'

/** Every address of the console. */
export const routes: readonly Route[] = [
  ...loginRoutes,
  ...setupRoutes,
  ...recoveryRoutes,
  ...joinRoutes,
  ...welcomeRoutes,
  ...homeRoutes,
  ...comingRoutes,
  ...blockRoutes,
  ...eventRoutes,
  ...eventPageRoutes,
  ...eventChangeRoutes,
  ...catalogueRoutes,
  ...connectRoutes,
  ...connectionRoutes,
  ...changeRoutes,
  ...deliveryRoutes,
  ...tryOutRoutes,
  ...accountRoutes,
  ...accountSessionRoutes,
  ...teamRoutes,
  ...memberRoutes,
  ...memberChangeRoutes,
  ...keyListRoutes,
  ...newKeyRoutes,
  ...endKeyRoutes,
  ...keyValueRoutes,
  ...usageRoutes,
  ...auditRoutes,
  ...outboxRoutes,
]
