import type { Route } from './page.ts'
import { comingRoutes } from './pages/coming.tsx'
import { loginRoutes } from './pages/login.tsx'
import { setupRoutes } from './pages/setup.tsx'

/** Every address of the console. */
export const routes: readonly Route[] = [...loginRoutes, ...setupRoutes, ...comingRoutes]
