import type { Route } from '../../page.ts'
import { arrangementRoutes } from './arrangement.ts'
import { newsletterChangeRoutes } from './changes.ts'
import { composerRoutes } from './composer.tsx'
import { deleteNewsletterRoutes } from './delete.tsx'
import { newsletterFileRoutes } from './files.ts'
import { handOverRoutes } from './hand-over.tsx'
import { newsletterListRoutes } from './list.tsx'
import { newNewsletterRoutes } from './new.tsx'
import { sendPreviewRoutes } from './send-preview.tsx'

/** Everything under `/newsletters`. */
export const newsletterRoutes: readonly Route[] = [
  ...newsletterListRoutes,
  ...newNewsletterRoutes,
  ...composerRoutes,
  ...newsletterChangeRoutes,
  ...arrangementRoutes,
  ...newsletterFileRoutes,
  ...sendPreviewRoutes,
  ...handOverRoutes,
  ...deleteNewsletterRoutes,
]
