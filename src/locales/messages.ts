/** The texts that adapters and templates add to what people wrote, with the arguments of each. */
export interface MessageArguments {
  /** The title of a release. `subject` is a product and its version. */
  release_out: { subject: string }
  /** A version with the name that its authors gave it. */
  release_named: { subject: string; name: string }
  /** The word before a version number, where the product is not known. */
  version: Record<string, never>
  release_maintenance: Record<string, never>
  release_breaking: Record<string, never>
  release_new: Record<string, never>
  release_improved: Record<string, never>
  release_fixed: Record<string, never>
  release_more: { count: number }
  milestone_reached: { name: string }
  milestone_progress: { done: number; total: number; project: string }
  milestone_done: { done: number; project: string }
  milestone_in: { project: string }
  repository_public: { name: string }
  repository_public_body: { name: string }
  issues_done: { count: number }
  issue_done: { project: string }
  project_done: { name: string }
  project_update: { name: string }
  health_on_track: { name: string }
  health_at_risk: { name: string }
  health_off_track: { name: string }
  colleague: Record<string, never>
  joins_as: { name: string; job: string }
  joins: { name: string }
  /** `where` is `office`, `remote` or `none`; `department` and `day` may be empty. */
  starts: {
    name: string
    hasDepartment: 'yes' | 'no'
    department: string
    where: 'office' | 'remote' | 'none'
    location: string
    hasDay: 'yes' | 'no'
    weekday: string
    day: string
  }
  kudos_to: { text: string }
  kudos: { text: string }
  welcome: { text: string }
  on_day: { day: string }
  /** In place of the name of a person, a group or a channel that is not known. */
  someone: Record<string, never>
  a_group: Record<string, never>
  a_channel: Record<string, never>
  // The headings of the sections of the system templates.
  section_top: Record<string, never>
  section_news: Record<string, never>
  section_wins_milestones: Record<string, never>
  section_people: Record<string, never>
  section_coming_up: Record<string, never>
  section_learning: Record<string, never>
  section_headlines: Record<string, never>
  section_our_people: Record<string, never>
  section_what_is_on: Record<string, never>
  section_good_to_know: Record<string, never>
  section_company: Record<string, never>
  section_wins: Record<string, never>
  section_dates: Record<string, never>
  section_in_brief: Record<string, never>
  /** The heading of the table of contents of a newsletter. */
  contents: Record<string, never>
  read_more: Record<string, never>
  vote: Record<string, never>
  /** The heading of blocks that are in no section of the template. */
  more_news: Record<string, never>
  share_news: Record<string, never>
  view_in_browser: Record<string, never>
  /** The title of the archive. */
  archive_title: Record<string, never>
  archive_older: Record<string, never>
  archive_newer: Record<string, never>
  archive_search: Record<string, never>
  archive_search_label: Record<string, never>
  archive_nothing: { words: string }
  archive_empty: Record<string, never>
  by_author: { author: string }
  reading_time: { minutes: number }
  /** What several items of a repository or project are called in the title of a roll-up. */
  group_releases: { name: string }
  group_milestones: { name: string }
  /** `name` is one of the two above, `week` a range of days. */
  rollup_title: { count: number; name: string; week: string }
}

/** One message in ICU MessageFormat for each sentence. https://unicode-org.github.io/icu/userguide/format_parse/messages/ */
export type Messages = Record<keyof MessageArguments, string>
