import {
  after,
  type Day,
  firstFrom,
  fixed,
  friday,
  last,
  monday,
  nth,
  thursday,
  tuesday,
} from './rules.ts'

/** Days about work, in the order of the year. */
export const corporate = [
  {
    slug: 'data-privacy-day',
    name: 'Data Privacy Day',
    dates: fixed(1, 28),
    description:
      'The anniversary of the first data-protection treaty, 1981; in Europe, Data Protection Day.',
    suggested_content: "One habit that protects customers' data, and whom to ask when in doubt.",
  },
  {
    slug: 'safer-internet-day',
    name: 'Safer Internet Day',
    dates: firstFrom(tuesday, 2, 5),
    description:
      'A worldwide day for a better internet, on the second day of the second week of February.',
    suggested_content: 'Show a real phishing mail you caught, and how it gave itself away.',
  },
  {
    slug: 'employee-appreciation-day',
    name: 'Employee Appreciation Day',
    dates: nth(1, friday, 3),
    description: 'The first Friday of March: a day to thank people at work.',
    suggested_content: 'Print thanks between colleagues, by name and for something definite.',
  },
  {
    slug: 'world-backup-day',
    name: 'World Backup Day',
    dates: fixed(3, 31),
    description: "The day before April Fools' Day, for those who would rather not be the fool.",
    suggested_content:
      'Three lines on what is backed up for you, and what you must keep safe yourself.',
  },
  {
    slug: 'international-workers-day',
    name: "International Workers' Day",
    dates: fixed(5, 1),
    description: 'Labour Day in most of the world; a public holiday in many countries.',
    suggested_content: 'Who is off today, and a look back at how work in your field has changed.',
  },
  {
    slug: 'world-password-day',
    name: 'World Password Day',
    dates: nth(1, thursday, 5),
    description: 'The first Thursday of May: a reminder to look after passwords.',
    suggested_content:
      "How to get the company's password manager in two minutes, and why passkeys are better still.",
  },
  {
    slug: 'world-youth-skills-day',
    name: 'World Youth Skills Day',
    dates: fixed(7, 15),
    description: 'A United Nations day for the training of young people.',
    suggested_content:
      'Let apprentices and interns write what they learned, and what they taught you.',
  },
  {
    slug: 'system-administrator-appreciation-day',
    name: 'System Administrator Appreciation Day',
    dates: last(friday, 7),
    description: 'The last Friday of July, for those who keep the systems running.',
    suggested_content:
      'Show what happened behind the scenes this year so that nobody noticed anything.',
  },
  {
    slug: 'labor-day',
    name: 'Labor Day',
    dates: nth(1, monday, 9),
    description: 'The first Monday of September; a public holiday in the United States and Canada.',
    suggested_content: 'Who is off today, and a good autumn start for everyone else.',
  },
  {
    slug: 'programmers-day',
    name: "Programmers' Day",
    dates: after(255, fixed(1, 1)),
    description: 'The 256th day of the year: 13 September, or 12 September in a leap year.',
    suggested_content:
      'The smallest fix with the biggest effect this year, explained so that everyone understands it.',
  },
  {
    slug: 'world-teachers-day',
    name: "World Teachers' Day",
    dates: fixed(10, 5),
    description: 'A UNESCO day that thanks teachers.',
    suggested_content:
      'Who taught you your job? Short thank-yous to mentors and trainers in the house.',
  },
  {
    slug: 'customer-experience-day',
    name: 'Customer Experience Day',
    dates: nth(1, tuesday, 10),
    description: 'The first Tuesday of October: a day for the people who look after customers.',
    suggested_content: "Print a customer's words, and the names of those who earned them.",
  },
] as const satisfies readonly Day[]
