import type { Template } from '../../../contract/template.ts'
import bold from './bold.mjml' with { type: 'text' }
import clean from './clean.mjml' with { type: 'text' }
import digest from './digest.mjml' with { type: 'text' }

/** The layouts that ship with the service; a team's own template is drawn by one of them. */
export const bases = ['clean', 'bold', 'digest'] as const
export type Base = (typeof bases)[number]

/**
 * The MJML source of each layout, in the marks of `lib/mjml.ts`. Nought is `0px` there: mrml reckons
 * no width from a padding with a bare `0`.
 */
export const layoutSources: Record<Base, string> = { clean, bold, digest }

/** A template as answers show it, and the layout that draws it. */
export interface MailTemplate extends Template {
  base: Base
}

const systemTemplate = (
  base: Base,
  words: Pick<MailTemplate, 'name' | 'category' | 'description' | 'sections'>,
): MailTemplate => ({ slug: base, base, system: true, premium: false, ...words })

/** The templates every team has, the default one first. */
export const systemTemplates: readonly MailTemplate[] = [
  systemTemplate('clean', {
    name: 'Clean',
    category: 'general',
    description:
      'Calm and white with one accent colour, for an issue people read from top to bottom.',
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
      'A strong header in the brand colour and a card for every item, for news worth a stage.',
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
