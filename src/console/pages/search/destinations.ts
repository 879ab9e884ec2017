import type { MemberRole } from '../../../contract/vocabulary.ts'
import { wordsOf } from '../../../lib/text/words.ts'
import { newEventPath } from '../../components/event.tsx'
import type { IconName } from '../../components/icon.tsx'
import { settingsTabs } from '../../components/layout/settings-layout.tsx'
import type { MemberRequest } from '../../http/context.ts'
import type { TextKey } from '../../locales/index.ts'
import { mayCreateTeams } from '../../may-create-teams.ts'
import { can } from '../../roles.ts'
import { settingDestinations } from './setting-fields.ts'

/** A page that the search finds by its name. */
export interface Destination {
  title: TextKey
  path: string
  icon: IconName
  /** Says where it is, when its name alone does not. */
  detail?: TextKey
  /** The role that the page needs. */
  role: MemberRole
}

const actions: readonly Destination[] = [
  { title: 'library.new_block', path: '/library/new', icon: 'plus', role: 'editor' },
  { title: 'newsletters.new_newsletter', path: '/newsletters/new', icon: 'plus', role: 'editor' },
  { title: 'events.new_event', path: newEventPath, icon: 'plus', role: 'editor' },
  { title: 'welcome.connect_a_tool', path: '/integrations', icon: 'plus', role: 'admin' },
  { title: 'search.invite_a_member', path: '/settings/members', icon: 'plus', role: 'admin' },
  { title: 'search.create_a_key', path: '/settings/keys/new', icon: 'plus', role: 'admin' },
  { title: 'templates.new', path: '/settings/templates/new', icon: 'plus', role: 'admin' },
  {
    title: 'library.keyboard_shortcuts',
    path: '/library#shortcuts',
    icon: 'keyboard',
    role: 'viewer',
  },
]

const newTeam: Destination = {
  title: 'teams.new_team',
  path: '/teams/new',
  icon: 'plus',
  role: 'viewer',
}

const pages: readonly Destination[] = [
  { title: 'common.library', path: '/library', icon: 'library', role: 'viewer' },
  { title: 'common.newsletters', path: '/newsletters', icon: 'newsletters', role: 'viewer' },
  { title: 'common.events', path: '/events', icon: 'events', role: 'viewer' },
  { title: 'common.integrations', path: '/integrations', icon: 'integrations', role: 'viewer' },
  { title: 'welcome.first_steps', path: '/welcome', icon: 'welcome', role: 'admin' },
  { title: 'search.your_account', path: '/account', icon: 'account', role: 'viewer' },
  {
    title: 'second_factor.second_factor',
    path: '/account/second-factor',
    icon: 'account',
    role: 'viewer',
  },
  { title: 'layout.api_documentation', path: '/docs', icon: 'book', role: 'viewer' },
]

const settings: readonly Destination[] = [
  ...settingsTabs.map(({ path, title }) => ({
    path,
    title,
    icon: 'settings' as const,
    role: 'admin' as const,
  })),
  ...settingDestinations.map(({ path, title, page, role }) => ({
    path,
    title,
    detail: page,
    icon: 'settings' as const,
    role,
  })),
]

/** Whether a name contains all words of a text. */
export function hasWords(name: string, text: string): boolean {
  const lowerCase = name.toLowerCase()
  return wordsOf(text).every((word) => lowerCase.includes(word.toLowerCase()))
}

/** The actions, pages and settings of a person whose name contains these words. */
export function findDestinations(context: MemberRequest, text: string) {
  const { t, member } = context
  const found = (destinations: readonly Destination[]) =>
    destinations.filter(({ title, role }) => can(member.role, role) && hasWords(t(title), text))
  return {
    actions: found(mayCreateTeams(context) ? [...actions, newTeam] : actions),
    pages: found(pages),
    // Without a text they would be most of the list.
    settings: text === '' ? [] : found(settings),
  }
}
