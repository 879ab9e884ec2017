import { page } from '../page.ts'
import type { Section } from '../parts/nav.tsx'
import { PageHead, screen } from '../parts/screen.tsx'

const placeholder = (path: string, section: Section, title: string, lead: string) =>
  page(path, 'viewer', (visit) =>
    screen(visit, { title, section }, <PageHead title={title} lead={lead} />),
  )

/** Sections that are still being built. */
export const comingRoutes = [
  placeholder('/library', 'library', 'Library', 'What came in, waiting for a decision.'),
  placeholder('/newsletters', 'newsletters', 'Newsletters', 'Issues, from first draft to sent.'),
  placeholder('/events', 'events', 'Events', 'The coming weeks.'),
  placeholder('/integrations', 'integrations', 'Integrations', 'Where news comes from.'),
]
