import type { Template } from '../../../contract/newsletters/template.ts'
import type { BlockType, Language, TemplateBase } from '../../../contract/vocabulary.ts'
import { formatMessage } from '../../../locales/index.ts'
import { defaultStyles } from '../style.ts'

export { blockLayoutSources, layoutSources } from './layouts.ts'

const sectionNames = [
  'top',
  'news',
  'wins_milestones',
  'people',
  'coming_up',
  'learning',
  'headlines',
  'our_people',
  'what_is_on',
  'good_to_know',
  'company',
  'wins',
  'dates',
  'in_brief',
] as const

type SectionName = (typeof sectionNames)[number]

const headingIn = (language: Language, name: SectionName) =>
  formatMessage(language, `section_${name}`, {})

const section = (name: SectionName, block_types: BlockType[]) => ({
  title: headingIn('en', name),
  block_types,
})

const nameOf = new Map(sectionNames.map((name) => [headingIn('en', name), name]))

/** A template with the headings of its sections in a language, unless the team wrote them. */
export function inLanguage(template: Template, language: Language): Template {
  if (!template.system) return template
  const sections = template.sections.map(({ title, block_types }) => {
    const name = nameOf.get(title)
    return { title: name ? headingIn(language, name) : title, block_types }
  })
  return { ...template, sections }
}

const systemTemplate = (
  base: TemplateBase,
  words: Pick<Template, 'name' | 'category' | 'description' | 'sections'>,
): Template => ({
  slug: base,
  base,
  system: true,
  premium: false,
  style: defaultStyles[base],
  ...words,
})

/** The templates of every team, the default one first. */
export const systemTemplates: readonly Template[] = [
  systemTemplate('clean', {
    name: 'Clean',
    category: 'general',
    description:
      'Calm and white with one accent color, for an issue people read from top to bottom.',
    sections: [
      section('top', ['ceo_update']),
      section('news', ['general', 'policy_change']),
      section('wins_milestones', ['wins_milestones']),
      section('people', ['new_starter', 'team_spotlight']),
      section('coming_up', ['event_announcement', 'poll']),
      section('learning', ['learning_development']),
    ],
  }),
  systemTemplate('bold', {
    name: 'Bold',
    category: 'announcements',
    description:
      'A strong header in the brand color and a card for every item, for news worth a stage.',
    sections: [
      section('headlines', ['wins_milestones', 'ceo_update']),
      section('our_people', ['team_spotlight', 'new_starter']),
      section('what_is_on', ['event_announcement', 'poll']),
      section('good_to_know', ['general', 'policy_change', 'learning_development']),
    ],
  }),
  systemTemplate('digest', {
    name: 'Digest',
    category: 'digest',
    description: 'Dense and numbered, with a table of contents, for many short items in one issue.',
    sections: [
      section('company', ['ceo_update', 'policy_change']),
      section('wins', ['wins_milestones']),
      section('people', ['new_starter', 'team_spotlight']),
      section('dates', ['event_announcement', 'poll']),
      section('learning', ['learning_development']),
      section('in_brief', ['general']),
    ],
  }),
]
