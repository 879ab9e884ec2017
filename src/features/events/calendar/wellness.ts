import { type Day, fixed, nth, saturday, thursday } from './rules.ts'

/** Days about health and well-being, in the order of the year. */
export const wellness = [
  {
    slug: 'international-day-of-happiness',
    name: 'International Day of Happiness',
    dates: fixed(3, 20),
    description: 'A United Nations day for happiness as something worth aiming at.',
    suggested_content: 'Ask: what made you smile at work this month? Print the short answers.',
  },
  {
    slug: 'world-health-day',
    name: 'World Health Day',
    dates: fixed(4, 7),
    description: 'The anniversary of the World Health Organization, 1948.',
    suggested_content: 'What the company offers for your health, in one list with links.',
  },
  {
    slug: 'world-day-for-safety-and-health-at-work',
    name: 'World Day for Safety and Health at Work',
    dates: fixed(4, 28),
    description: 'A day of the International Labour Organization for safe and healthy work.',
    suggested_content:
      'One near miss that taught you something, and whom to inform about the next one.',
  },
  {
    slug: 'world-bicycle-day',
    name: 'World Bicycle Day',
    dates: fixed(6, 3),
    description: 'A United Nations day for the bicycle.',
    suggested_content:
      "Where to park and shower, how bike leasing works, and a colleague's favorite route.",
  },
  {
    slug: 'world-blood-donor-day',
    name: 'World Blood Donor Day',
    dates: fixed(6, 14),
    description: 'A World Health Organization day that thanks blood donors.',
    suggested_content:
      'Where to give blood near each office, and whether it counts as working time.',
  },
  {
    slug: 'international-day-of-yoga',
    name: 'International Day of Yoga',
    dates: fixed(6, 21),
    description: 'A United Nations day for yoga.',
    suggested_content: 'A five-minute stretch for the desk, shown by a colleague.',
  },
  {
    slug: 'world-suicide-prevention-day',
    name: 'World Suicide Prevention Day',
    dates: fixed(9, 10),
    description: 'A day for talking openly and for help that is within reach.',
    suggested_content:
      'Keep it short and warm: it is all right to ask for help, and here is where, at any hour.',
  },
  {
    slug: 'world-first-aid-day',
    name: 'World First Aid Day',
    dates: nth(2, saturday, 9),
    description: 'The second Saturday of September: a Red Cross and Red Crescent day.',
    suggested_content: 'Name the first-aiders on each floor, and the date of the next course.',
  },
  {
    slug: 'world-heart-day',
    name: 'World Heart Day',
    dates: fixed(9, 29),
    description: 'A day of the World Heart Federation for healthy hearts.',
    suggested_content: 'Stairs, walks, and where the defibrillators hang.',
  },
  {
    slug: 'world-sight-day',
    name: 'World Sight Day',
    dates: nth(2, thursday, 10),
    description: 'The second Thursday of October: a day for eyes and sight.',
    suggested_content:
      'The 20-20-20 rule for screens, and how to get an eye test or screen glasses.',
  },
  {
    slug: 'world-mental-health-day',
    name: 'World Mental Health Day',
    dates: fixed(10, 10),
    description:
      'A day for mental health, begun by the World Federation for Mental Health in 1992.',
    suggested_content:
      'Say whom people can talk to in confidence, and let a leader describe how they keep their balance.',
  },
  {
    slug: 'world-kindness-day',
    name: 'World Kindness Day',
    dates: fixed(11, 13),
    description: 'A day for small kindnesses.',
    suggested_content: 'Kudos page: readers name a kindness they met at work.',
  },
  {
    slug: 'world-diabetes-day',
    name: 'World Diabetes Day',
    dates: fixed(11, 14),
    description:
      'A United Nations day about diabetes, on the birthday of Frederick Banting, who helped discover insulin.',
    suggested_content:
      'Facts from your health service, and what colleagues with diabetes would like others to know.',
  },
] as const satisfies readonly Day[]
