import {
  type ArchiveTeamRow,
  archiveTexts,
  displayedEmail,
  getArchivedNewsletter,
  type SentRow,
  withoutOwnLink,
} from '../../../features/archive/index.ts'
import type { ConsoleRequest } from '../../http/context.ts'
import { ArchiveDocument } from './document.tsx'
import { archiveResponse, emailPolicy } from './response.ts'

/** A newsletter as it was sent, with links to the ones before and after it. */
export async function showNewsletter(
  context: ConsoleRequest,
  team: ArchiveTeamRow,
): Promise<Response> {
  const { deps, params } = context
  const found = { teamId: team.team_id, id: params['id'] ?? '' }
  const { newsletter, older, newer } = await getArchivedNewsletter(deps, found)
  const email = displayedEmail(withoutOwnLink(newsletter.html, newsletter.id))
  const texts = archiveTexts(team.language)
  const path = `/archive/${team.archive_token}`
  const css = deps.assets['archive.css'].content.toString()
  const body = await (
    <ArchiveDocument
      icon={deps.assets['icon.svg'].path}
      {...{ team, texts, path, title: newsletter.title, background: email.background }}
      // The sandbox has no origin, so that the page contains its styles.
      styles={<style>{`${email.styles}\n${css}` as 'safe'}</style>}
    >
      {email.body as 'safe'}
      {older || newer ? (
        <nav class="archive-neighbors" aria-label={texts.title}>
          {older ? <Neighbor {...{ path, newsletter: older, label: texts.older }} /> : null}
          {newer ? <Neighbor {...{ path, newsletter: newer, label: texts.newer }} /> : null}
        </nav>
      ) : null}
    </ArchiveDocument>
  )
  return archiveResponse(context, {
    body: `<!doctype html>${body}`,
    contentType: 'text/html; charset=utf-8',
    policy: emailPolicy,
  })
}

interface NeighborProps {
  path: string
  newsletter: SentRow
  label: string
}

function Neighbor({ path, newsletter: { id, title }, label }: NeighborProps) {
  return (
    <a href={`${path}/${id}`}>
      <span safe>{label}</span>
      <b safe>{title}</b>
    </a>
  )
}
