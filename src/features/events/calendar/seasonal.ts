import { after, type Day, easter, fixed, monday, nth, sunday, thursday } from './rules.ts'

/** Days of the seasons, in the order of the year. */
export const seasonal = [
  {
    slug: 'new-years-day',
    name: "New Year's Day",
    dates: fixed(1, 1),
    description: 'The first day of the calendar year.',
    suggested_content:
      'Look ahead: three things to be glad of this year, from three corners of the company.',
  },
  {
    slug: 'valentines-day',
    name: "Valentine's Day",
    dates: fixed(2, 14),
    description: 'A day for saying kind things to people one is fond of.',
    suggested_content:
      'Make it about thanks: readers send one line of appreciation to a colleague, and you print them.',
  },
  {
    slug: 'shrove-tuesday',
    name: 'Shrove Tuesday',
    dates: after(-47, easter),
    description: 'Pancake Day and Mardi Gras: the last day before Lent.',
    suggested_content: 'A pancake recipe from every country you have an office in.',
  },
  {
    slug: 'mothering-sunday',
    name: 'Mothering Sunday',
    dates: after(-21, easter),
    description: "Mother's Day in the United Kingdom and Ireland, three weeks before Easter.",
    suggested_content:
      'A kind word to all who mother somebody, and to those for whom the day is hard.',
  },
  {
    slug: 'april-fools-day',
    name: "April Fools' Day",
    dates: fixed(4, 1),
    description: 'A day of harmless jokes in many countries.',
    suggested_content:
      'A harmless invention nobody can mistake for policy, with the truth in the last line.',
  },
  {
    slug: 'mothers-day',
    name: "Mother's Day",
    dates: nth(2, sunday, 5),
    description: 'The second Sunday of May, in North America, Australia and much of Europe.',
    suggested_content: 'Ask colleagues for the best advice their mother gave them.',
  },
  {
    slug: 'fathers-day',
    name: "Father's Day",
    dates: nth(3, sunday, 6),
    description:
      'The third Sunday of June, in North America, the United Kingdom and many other countries.',
    suggested_content: 'Ask colleagues what they learned from their father, or as one.',
  },
  {
    slug: 'thanksgiving-in-canada',
    name: 'Thanksgiving in Canada',
    dates: nth(2, monday, 10),
    description: 'The second Monday of October; a public holiday in Canada.',
    suggested_content: 'One line of thanks from each Canadian team, and who covers for them today.',
  },
  {
    slug: 'halloween',
    name: 'Halloween',
    dates: fixed(10, 31),
    description: "The evening before All Saints' Day, with costumes and pumpkins.",
    suggested_content: 'A costume or pumpkin contest with photos, and a vote in the next issue.',
  },
  {
    slug: 'thanksgiving-in-the-united-states',
    name: 'Thanksgiving in the United States',
    dates: nth(4, thursday, 11),
    description: 'The fourth Thursday of November; a public holiday in the United States.',
    suggested_content:
      'One line of thanks from each American team, and who covers for them until Monday.',
  },
  {
    slug: 'christmas-eve',
    name: 'Christmas Eve',
    dates: fixed(12, 24),
    description: 'The evening before Christmas; the main celebration in much of Europe.',
    suggested_content: 'Say when offices close today, and thank those who keep things running.',
  },
  {
    slug: 'new-years-eve',
    name: "New Year's Eve",
    dates: fixed(12, 31),
    description: 'The last day of the calendar year.',
    suggested_content: 'The year in ten numbers, and a thank-you that names people.',
  },
] as const satisfies readonly Day[]
