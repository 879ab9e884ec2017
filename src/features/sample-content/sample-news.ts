import type { NewBlock } from '../../contract/blocks/input.ts'
import type { Language } from '../../contract/vocabulary.ts'
import { type DemoNews, freshNews, sentNews } from './demo-news.ts'

/** The content of the sample newsletter. */
export interface SampleNews {
  /** `{name}` is the team. */
  title: string
  intro: string
  closing: string
  blocks: readonly (Pick<NewBlock, 'title' | 'body' | 'block_type'> & { author?: string | null })[]
}

const blockOf = ({ title, body, block_type, author = null }: DemoNews) => ({
  title,
  body,
  block_type: block_type ?? 'general',
  author,
})

/** Not about a release or an event, of which the sample has enough. */
const isForEveryTeam = ({ provider, event_slug }: DemoNews) => provider !== 'github' && !event_slug

const english: SampleNews = {
  title: '{name}: a sample newsletter',
  intro:
    '<p>Good morning. This is a sample: it shows what your newsletter looks like with your name and your color. Change it as you like, or remove it.</p>',
  closing: '<p>See you next week.</p>',
  blocks: [...sentNews, ...freshNews.filter(isForEveryTeam)].map(blockOf),
}

const german: SampleNews = {
  title: '{name}: ein Beispiel',
  intro:
    '<p>Guten Morgen. Das ist ein Beispiel: So sieht Ihr Newsletter mit Ihrem Namen und Ihrer Farbe aus. Ändern Sie es nach Belieben, oder entfernen Sie es.</p>',
  closing: '<p>Bis nächste Woche.</p>',
  blocks: [
    {
      title: 'Die Hafenbank verlängert um drei Jahre',
      body: '<p>Nach einem langen Sommer voller Fragen hat die <strong>Hafenbank</strong> am Dienstag unterschrieben. Danke an Mina und Joris, die die letzten 140 beantwortet haben.</p>',
      block_type: 'wins_milestones',
      author: 'Mina Okafor',
    },
    {
      title: 'Lighthouse 4.2',
      body: '<p>Dashboards lassen sich mit einem Link teilen.</p><ul><li>Links, die ablaufen</li><li>Dunkle Diagramme im dunklen Modus</li></ul>',
      block_type: 'wins_milestones',
    },
    {
      title: 'Der Support antwortet innerhalb einer Stunde',
      body: '<p>Neun von zehn Fragen hatten im Oktober nach höchstens 60 Minuten eine Antwort. Im Frühjahr war es jede zweite.</p>',
      block_type: 'wins_milestones',
      author: 'Tomás Rivera',
    },
    {
      title: 'Willkommen, Ines',
      body: '<p>Ines Halloran beginnt am Montag in der Kundenbetreuung in Lissabon. Sie hat eine Bäckerei und eine Redaktion geleitet, in dieser Reihenfolge.</p>',
      block_type: 'new_starter',
    },
    {
      title: 'Danke an die Nachtschicht',
      body: '<p>Der Umzug des Rechenzentrums hat elf Stunden gedauert, und draußen hat es niemand bemerkt. Das war der Plan.</p>',
      block_type: 'wins_milestones',
      author: 'Priya Raman',
    },
    {
      title: 'Der Aufzug fährt wieder',
      body: '<p>Der Aufzug in Haus B fährt wieder. Danke für die Geduld, und für die Waden.</p>',
      block_type: 'general',
    },
  ],
}

/** The sample content in the language of a team, or else in English. */
export const sampleNewsIn = (language: Language): SampleNews =>
  language === 'de' ? german : english
