import type { Children } from '@kitajs/html'
import type { ArchiveTeamRow, archiveTexts } from '../../../features/archive/index.ts'
import { attribute } from '../../attribute.ts'

interface ArchiveDocumentProps {
  team: ArchiveTeamRow
  title: string
  texts: ReturnType<typeof archiveTexts>
  /** The path of the archive. */
  path: string
  /** The path of the icon of the page. */
  icon: string
  /** What loads or contains the styles of the page. */
  styles: Children
  /** The color around the content, `#rrggbb`. */
  background?: string | null
  children: Children
}

/** A page of an archive: the team, which leads to all newsletters, and the content. */
export function ArchiveDocument(props: ArchiveDocumentProps) {
  const { team, title, texts, path, icon, styles, background, children } = props
  return (
    <html lang={team.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <title safe>{`${title} · ${team.name}`}</title>
        <link rel="icon" href={icon} type="image/svg+xml" />
        {styles as 'safe'}
      </head>
      <body style={background ? `background-color:${background}` : undefined}>
        <header class="archive-header">
          <div>
            <a class="archive-team" href={path}>
              {team.logo_url ? (
                <img
                  src={attribute(team.logo_url)}
                  alt={attribute(team.logo_alt ?? team.name)}
                  height="32"
                />
              ) : (
                <b safe>{team.name}</b>
              )}
            </a>
            {title === texts.title ? null : (
              <a href={path} safe>
                {texts.title}
              </a>
            )}
          </div>
        </header>
        <main>{children as 'safe'}</main>
      </body>
    </html>
  )
}
