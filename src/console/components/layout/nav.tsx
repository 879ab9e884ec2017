import { countDrafts, maxCountedDrafts } from '../../../features/content-blocks/index.ts'
import type { MemberRequest } from '../../http/context.ts'
import type { TextKey, Translate } from '../../locales/index.ts'
import { mayCreateTeams } from '../../may-create-teams.ts'
import { can } from '../../roles.ts'
import { Form } from '../form/form.tsx'
import { Icon, type IconName } from '../icon.tsx'

export type NavSection =
  | 'search'
  | 'welcome'
  | 'library'
  | 'newsletters'
  | 'events'
  | 'integrations'
  | 'settings'
  | 'account'

const sections: readonly { name: NavSection & IconName; title: TextKey; path: string }[] = [
  { name: 'library', title: 'common.library', path: '/library' },
  { name: 'newsletters', title: 'common.newsletters', path: '/newsletters' },
  { name: 'events', title: 'common.events', path: '/events' },
  { name: 'integrations', title: 'common.integrations', path: '/integrations' },
  { name: 'settings', title: 'common.settings', path: '/settings' },
]

/** The main navigation: in the sidebar, or at the bottom on a phone. */
export function MainNav({
  context,
  section,
}: {
  context: MemberRequest
  section: NavSection | null
}) {
  const { t, member } = context
  const isShown = ({ name }: { name: NavSection }) =>
    name !== 'settings' || can(member.role, 'admin')
  return (
    <nav class="main-nav" aria-label={t('layout.sections')}>
      {member.team_has_first_steps && can(member.role, 'admin') ? (
        <a href="/welcome" aria-current={section === 'welcome' ? 'page' : undefined}>
          <Icon name="welcome" />
          <span>{t('welcome.first_steps')}</span>
        </a>
      ) : null}
      {sections.filter(isShown).map(({ name, title, path }) => (
        <a href={path} aria-current={name === section ? 'page' : undefined}>
          <Icon name={name} />
          <span>{t(title)}</span>
          {name === 'library' ? <DraftCount context={context} /> : null}
        </a>
      ))}
    </nav>
  )
}

/** How many drafts wait for a review; a script updates it. */
async function DraftCount({ context: { ctx, member, t } }: { context: MemberRequest }) {
  if (!can(member.role, 'editor')) return ''
  const { drafts } = await countDrafts(ctx)
  return (
    <span id="draft-count" class="nav-count" hidden={drafts === 0}>
      <span aria-hidden="true" safe>
        {draftCountText(drafts)}
      </span>
      <span class="visually-hidden" safe>
        {drafts === 1
          ? t('layout.one_draft_to_review')
          : t('layout.drafts_to_review', { count: draftCountText(drafts) })}
      </span>
    </span>
  )
}

const draftCountText = (drafts: number) =>
  drafts >= maxCountedDrafts ? `${maxCountedDrafts - 1}+` : String(drafts)

/** The link to the search, which a script opens over the page. */
export function SearchLink({ t, section }: { t: Translate; section: NavSection | null }) {
  return (
    <a
      href="/search"
      class="search-link"
      aria-current={section === 'search' ? 'page' : undefined}
      aria-keyshortcuts="Control+K Meta+K"
    >
      <Icon name="search" />
      <span>{t('common.search')}</span>
      <kbd data-requires-script>Ctrl K</kbd>
    </a>
  )
}

/** The search over the page. */
export function CommandPalette({ t }: { t: Translate }) {
  return (
    <dialog id="command-palette" class="command-palette" aria-label={t('search.command_palette')}>
      <input
        id="command-palette-text"
        type="text"
        autocomplete="off"
        maxlength={200}
        placeholder={t('search.what')}
        aria-label={t('search.what')}
      />
      <p id="command-palette-count" class="visually-hidden" role="status"></p>
      <div id="command-palette-results"></div>
      <p class="command-palette-keys">{t('search.keys')}</p>
    </dialog>
  )
}

/** The current team, and the other teams of the person. */
export function TeamMenu({ context }: { context: MemberRequest }) {
  const { member, memberships, t } = context
  const others = memberships.filter(({ team_id }) => team_id !== member.team_id)
  const mayCreate = mayCreateTeams(context)
  if (others.length === 0 && !mayCreate) {
    return (
      <p class="team-name">
        <span class="team-avatar" aria-hidden="true" safe>
          {firstLetter(member.team_name)}
        </span>
        <span safe>{member.team_name}</span>
      </p>
    )
  }
  return (
    <details class="menu" data-menu>
      <summary class="team-name">
        <span class="team-avatar" aria-hidden="true" safe>
          {firstLetter(member.team_name)}
        </span>
        <span safe>{member.team_name}</span>
        <Icon name="chevron" />
      </summary>
      <div class="menu-list">
        <p aria-current="true">
          <span safe>{member.team_name}</span>
          <Icon name="check" />
        </p>
        {others.map((other) => (
          <Form context={context} action="/account/team">
            <input type="hidden" name="team" value={other.team_id} />
            <button type="submit">
              <span safe>{other.team_name}</span>
            </button>
          </Form>
        ))}
        {mayCreate ? (
          <a class="button" href="/teams/new">
            <Icon name="plus" />
            {t('teams.new_team')}
          </a>
        ) : null}
      </div>
    </details>
  )
}

/** The signed-in person with links to the account page and the sign-out button. */
export function AccountMenu({
  context,
  section,
}: {
  context: MemberRequest
  section: NavSection | null
}) {
  const { t } = context
  const { name, role } = context.member
  return (
    <div class="account-menu">
      <a href="/docs" class="docs-link">
        <Icon name="book" />
        <span>{t('layout.api_documentation')}</span>
      </a>
      <a href="/account" aria-current={section === 'account' ? 'page' : undefined}>
        <Icon name="account" />
        <span>
          <span class="account-name" safe>
            {name}
          </span>
          <span class="muted account-role">{t(`role.${role}`)}</span>
        </span>
      </a>
      <Form context={context} action="/logout">
        <button type="submit" class="ghost">
          <Icon name="signOut" />
          <span>{t('layout.sign_out')}</span>
        </button>
      </Form>
    </div>
  )
}

const firstLetter = (name: string) => [...name][0]?.toUpperCase() ?? ''
