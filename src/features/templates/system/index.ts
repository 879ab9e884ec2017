import type { Template } from '../../../contract/template.ts'
import { defaultStyles } from '../style.ts'
import type { Base } from './layouts.ts'

export { type Base, layoutSources } from './layouts.ts'

/** A template, for rendering. */
export type MailTemplate = Template

const systemTemplate = (
  base: Base,
  words: Pick<MailTemplate, 'name' | 'category' | 'description' | 'sections'>,
): MailTemplate => ({
  ...{ slug: base, base, system: true, premium: false, style: defaultStyles[base] },
  ...words,
})

/** The templates every team has, the default one first. */
export const systemTemplates: readonly MailTemplate[] = [
  systemTemplate('clean', {
    name: 'Clean',
    category: 'general',
    description:
      'Calm and white with one accent color, for an issue people read from top to bottom.',
    sections: [
      { title: 'From the top', block_types: ['ceo_update'] },
      { title: 'News', block_types: ['general', 'policy_change'] },
      { title: 'Wins and milestones', block_types: ['wins_milestones'] },
      { title: 'People', block_types: ['new_starter', 'team_spotlight'] },
      { title: 'Coming up', block_types: ['event_announcement', 'poll'] },
      { title: 'Learning', block_types: ['learning_development'] },
    ],
  }),
  systemTemplate('bold', {
    name: 'Bold',
    category: 'announcements',
    description:
      'A strong header in the brand color and a card for every item, for news worth a stage.',
    sections: [
      { title: 'Headlines', block_types: ['wins_milestones', 'ceo_update'] },
      { title: 'Our people', block_types: ['team_spotlight', 'new_starter'] },
      { title: 'What is on', block_types: ['event_announcement', 'poll'] },
      { title: 'Good to know', block_types: ['general', 'policy_change', 'learning_development'] },
    ],
  }),
  systemTemplate('digest', {
    name: 'Digest',
    category: 'digest',
    description: 'Dense and numbered, with a table of contents, for many short items in one issue.',
    sections: [
      { title: 'Company', block_types: ['ceo_update', 'policy_change'] },
      { title: 'Wins', block_types: ['wins_milestones'] },
      { title: 'People', block_types: ['new_starter', 'team_spotlight'] },
      { title: 'Dates', block_types: ['event_announcement', 'poll'] },
      { title: 'Learning', block_types: ['learning_development'] },
      { title: 'In brief', block_types: ['general'] },
    ],
  }),
]
