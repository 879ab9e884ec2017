import { type Day, fixed, monday, nth, thursday, tuesday } from './rules.ts'

/** Days about equal opportunities and diversity, in the order of the year. */
export const diversity = [
  {
    slug: 'world-braille-day',
    name: 'World Braille Day',
    dates: fixed(1, 4),
    description: 'A United Nations day on the birthday of Louis Braille.',
    suggested_content:
      'Check one of your own pages with a screen reader, and describe what you found and fixed.',
  },
  {
    slug: 'martin-luther-king-jr-day',
    name: 'Martin Luther King Jr. Day',
    dates: nth(3, monday, 1),
    description:
      'The third Monday of January; a public holiday and day of service in the United States.',
    suggested_content: "A thought of Dr King's in its context, and a way to serve today.",
  },
  {
    slug: 'international-day-of-women-and-girls-in-science',
    name: 'International Day of Women and Girls in Science',
    dates: fixed(2, 11),
    description: 'A United Nations day for women and girls in science.',
    suggested_content:
      'Introduce women in technical roles here: what they work on, and how they came to it.',
  },
  {
    slug: 'international-mother-language-day',
    name: 'International Mother Language Day',
    dates: fixed(2, 21),
    description: 'A UNESCO day for the languages people grow up with.',
    suggested_content: 'How many languages does your team speak? Collect a greeting in each.',
  },
  {
    slug: 'international-womens-day',
    name: "International Women's Day",
    dates: fixed(3, 8),
    description: 'The day for the rights and achievements of women, since 1911.',
    suggested_content:
      'Go beyond flowers: one number on equality in the company, and what is being done about it.',
  },
  {
    slug: 'international-day-for-the-elimination-of-racial-discrimination',
    name: 'International Day for the Elimination of Racial Discrimination',
    dates: fixed(3, 21),
    description: 'A United Nations day in memory of Sharpeville, 1960.',
    suggested_content:
      'Let colleagues recommend a book, film or talk that changed how they see things.',
  },
  {
    slug: 'world-down-syndrome-day',
    name: 'World Down Syndrome Day',
    dates: fixed(3, 21),
    description: 'A United Nations day for people with Down syndrome: the 21st of the third month.',
    suggested_content:
      'Odd socks are welcome; better still, point to an employer who includes people well.',
  },
  {
    slug: 'international-transgender-day-of-visibility',
    name: 'International Transgender Day of Visibility',
    dates: fixed(3, 31),
    description: 'A day that celebrates trans people and what they contribute.',
    suggested_content:
      'Explain how to set name and pronouns in your tools, and where to find support.',
  },
  {
    slug: 'world-autism-awareness-day',
    name: 'World Autism Awareness Day',
    dates: fixed(4, 2),
    description: 'A United Nations day for autistic people and their place in society.',
    suggested_content:
      'What helps neurodivergent colleagues in meetings? Three tips from people who know.',
  },
  {
    slug: 'international-day-against-homophobia-biphobia-and-transphobia',
    name: 'International Day Against Homophobia, Biphobia and Transphobia',
    dates: fixed(5, 17),
    description: 'The day in 1990 on which homosexuality was taken off the list of illnesses.',
    suggested_content: 'Introduce your network for LGBTQ+ colleagues and allies, and how to join.',
  },
  {
    slug: 'global-accessibility-awareness-day',
    name: 'Global Accessibility Awareness Day',
    dates: nth(3, thursday, 5),
    description: 'The third Thursday of May: a day for digital access and inclusion.',
    suggested_content:
      'Put the mouse away for an hour and use your product by keyboard; report what you met.',
  },
  {
    slug: 'world-day-for-cultural-diversity',
    name: 'World Day for Cultural Diversity',
    dates: fixed(5, 21),
    description: 'A UNESCO day for cultural diversity, dialogue and development.',
    suggested_content: 'A map with the places your colleagues come from, and a dish from each.',
  },
  {
    slug: 'juneteenth',
    name: 'Juneteenth',
    dates: fixed(6, 19),
    description:
      'The day in 1865 on which freedom was proclaimed in Texas; a public holiday in the United States.',
    suggested_content: 'A short history, and a local event to attend.',
  },
  {
    slug: 'world-refugee-day',
    name: 'World Refugee Day',
    dates: fixed(6, 20),
    description: 'A United Nations day for people who had to flee.',
    suggested_content: "Share a colleague's story, if they agree, or mention a group you support.",
  },
  {
    slug: 'pride-day',
    name: 'Pride Day',
    dates: fixed(6, 28),
    description:
      'The anniversary of the Stonewall uprising, 1969; Pride is celebrated all through June.',
    suggested_content: 'Where will colleagues walk this year, and who speaks for your network?',
  },
  {
    slug: 'international-day-of-the-worlds-indigenous-peoples',
    name: "International Day of the World's Indigenous Peoples",
    dates: fixed(8, 9),
    description: 'A United Nations day for the rights of indigenous peoples.',
    suggested_content: 'On whose land do your offices stand? Learn and print the right names.',
  },
  {
    slug: 'international-equal-pay-day',
    name: 'International Equal Pay Day',
    dates: fixed(9, 18),
    description: 'A United Nations day for equal pay for work of equal value.',
    suggested_content: 'Explain how pay is set and reviewed here, in plain words.',
  },
  {
    slug: 'international-day-of-sign-languages',
    name: 'International Day of Sign Languages',
    dates: fixed(9, 23),
    description: 'A United Nations day for deaf people and their languages.',
    suggested_content: 'Teach three signs in pictures: hello, thank you, well done.',
  },
  {
    slug: 'international-day-of-older-persons',
    name: 'International Day of Older Persons',
    dates: fixed(10, 1),
    description: 'A United Nations day for older people.',
    suggested_content:
      'Pair a newcomer with a long-serving colleague, and print what they asked each other.',
  },
  {
    slug: 'ada-lovelace-day',
    name: 'Ada Lovelace Day',
    dates: nth(2, tuesday, 10),
    description:
      'The second Tuesday of October: women in science, technology, engineering and mathematics.',
    suggested_content: 'Whose work inspired you? Collect names that deserve to be known better.',
  },
  {
    slug: 'international-mens-day',
    name: "International Men's Day",
    dates: fixed(11, 19),
    description: 'A day for the health and well-being of men and boys, and for good role models.',
    suggested_content:
      "Men's health in three facts, and a report from a colleague on parental leave.",
  },
  {
    slug: 'international-day-of-persons-with-disabilities',
    name: 'International Day of Persons with Disabilities',
    dates: fixed(12, 3),
    description: 'A United Nations day for the rights of people with disabilities.',
    suggested_content: 'How to ask for an adjustment to your workplace, and what others have got.',
  },
] as const satisfies readonly Day[]
