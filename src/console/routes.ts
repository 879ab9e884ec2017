import type { Route } from './page.ts'
import { accountRoutes } from './pages/account.tsx'
import { accountSessionRoutes } from './pages/account-sessions.tsx'
import { eventChangeRoutes } from './pages/events/changes.tsx'
import { eventPageRoutes } from './pages/events/event.tsx'
import { eventRoutes } from './pages/events/list.tsx'
import { homeRoutes } from './pages/home.tsx'
import { catalogRoutes } from './pages/integrations/catalog.tsx'
import { changeRoutes } from './pages/integrations/change.tsx'
import { connectRoutes } from './pages/integrations/connect.tsx'
import { connectionRoutes } from './pages/integrations/connection.tsx'
import { deliveryRoutes } from './pages/integrations/deliveries.tsx'
import { dryRunRoutes } from './pages/integrations/dry-run.tsx'
import { joinRoutes } from './pages/join.tsx'
import { blockRoutes } from './pages/library/block.tsx'
import { draftRoutes } from './pages/library/draft.tsx'
import { editRoutes } from './pages/library/edit.tsx'
import { libraryRoutes } from './pages/library/list.tsx'
import { reviewRoutes } from './pages/library/review.ts'
import { loginRoutes } from './pages/login.tsx'
import { newsletterRoutes } from './pages/newsletters/index.ts'
import { recoveryRoutes } from './pages/recovery.tsx'
import { auditRoutes } from './pages/settings/audit.tsx'
import { capturedEmailRoutes } from './pages/settings/captured-emails.tsx'
import { endKeyRoutes } from './pages/settings/end-key.tsx'
import { keyValueRoutes } from './pages/settings/key-value.tsx'
import { keyListRoutes } from './pages/settings/keys.tsx'
import { memberChangeRoutes } from './pages/settings/member-changes.tsx'
import { memberRoutes } from './pages/settings/members.tsx'
import { newKeyRoutes } from './pages/settings/new-key.tsx'
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
  ...libraryRoutes,
  ...reviewRoutes,
  ...blockRoutes,
  ...editRoutes,
  ...draftRoutes,
  ...newsletterRoutes,
  ...eventRoutes,
  ...eventPageRoutes,
  ...eventChangeRoutes,
  ...catalogRoutes,
  ...connectRoutes,
  ...connectionRoutes,
  ...changeRoutes,
  ...deliveryRoutes,
  ...dryRunRoutes,
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
  ...capturedEmailRoutes,
]
