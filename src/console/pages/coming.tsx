import { page } from '../page.ts'
import type { Section } from '../parts/nav.tsx'
import { PageHead, screen } from '../parts/screen.tsx'

const unbuilt = (path: string, section: Section, title: string, meanwhile: string) =>
  page(path, 'viewer', (visit) =>
    screen(
      visit,
      { title, section },
      <>
        <PageHead title={title} lead="This page does not exist yet." />
        <p>
          <span safe>{meanwhile}</span> <a href="/docs">Read how in the documentation.</a>
        </p>
      </>,
    ),
  )

/** Sections that have no page yet; each says where its work is done meanwhile. */
export const comingRoutes = [
  unbuilt(
    '/library',
    'library',
    'Library',
    'Content blocks can be listed, changed and made ready through the API.',
  ),
  unbuilt(
    '/newsletters',
    'newsletters',
    'Newsletters',
    'Issues are made, previewed and sent through the API.',
  ),
]
