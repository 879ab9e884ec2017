import type { Route } from '../../page.ts'
import { newsletterChangeRoutes } from './changes.ts'
import { composerRoutes } from './composer.tsx'
import { deleteNewsletterRoutes } from './delete.tsx'
import { exportRoutes } from './export.tsx'
import { newsletterFileRoutes } from './files.ts'
import { newsletterListRoutes } from './list.tsx'
import { newNewsletterRoutes } from './new.tsx'
import { reorderRoutes } from './reorder.ts'
import { sendPreviewRoutes } from './send-preview.tsx'

/** Everything under `/newsletters`. */
export const newsletterRoutes: readonly Route[] = [
  ...newsletterListRoutes,
  ...newNewsletterRoutes,
  ...composerRoutes,
  ...newsletterChangeRoutes,
  ...reorderRoutes,
  ...newsletterFileRoutes,
  ...sendPreviewRoutes,
  ...exportRoutes,
  ...deleteNewsletterRoutes,
]
