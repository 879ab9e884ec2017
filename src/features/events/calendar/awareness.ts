import { after, type Day, fixed, nth, thursday } from './rules.ts'

/** Days that draw attention to a cause, in the order of the year. */
export const awareness = [
  {
    slug: 'world-water-day',
    name: 'World Water Day',
    dates: fixed(3, 22),
    description: 'A United Nations day about fresh water and the people who live without it.',
    suggested_content: 'Share one way your workplace saves water, and ask readers for one more.',
  },
  {
    slug: 'international-day-of-zero-waste',
    name: 'International Day of Zero Waste',
    dates: fixed(3, 30),
    description: 'A United Nations day for using less, using again and throwing away little.',
    suggested_content: 'Show what one team stopped throwing away this year and how it did that.',
  },
  {
    slug: 'earth-day',
    name: 'Earth Day',
    dates: fixed(4, 22),
    description: 'The day on which people in most countries speak up for the environment.',
    suggested_content:
      'Report one number on your own footprint, and one thing that will change because of it.',
  },
  {
    slug: 'world-bee-day',
    name: 'World Bee Day',
    dates: fixed(5, 20),
    description: 'A United Nations day for bees and other pollinators.',
    suggested_content:
      'A short piece on balconies and gardens that feed bees, with photos from colleagues.',
  },
  {
    slug: 'world-environment-day',
    name: 'World Environment Day',
    dates: fixed(6, 5),
    description: 'The largest yearly United Nations day for the environment.',
    suggested_content:
      'Invite a colleague to describe how they get to work, eat or travel with less harm.',
  },
  {
    slug: 'world-oceans-day',
    name: 'World Oceans Day',
    dates: fixed(6, 8),
    description: 'A United Nations day for the seas that cover most of the planet.',
    suggested_content:
      'Mention a clean-up people can join, or a product choice that keeps plastic out of the water.',
  },
  {
    slug: 'international-day-of-peace',
    name: 'International Day of Peace',
    dates: fixed(9, 21),
    description: 'A United Nations day for an end to violence, in the world and close by.',
    suggested_content:
      'A calm note on how your teams settle disagreements, with a tip from someone who does it well.',
  },
  {
    slug: 'world-food-day',
    name: 'World Food Day',
    dates: fixed(10, 16),
    description:
      'The day the Food and Agriculture Organization was founded, in 1945; it is about hunger and good food for all.',
    suggested_content:
      'Collect lunch recipes from colleagues, and point to a food bank that takes donations.',
  },
  {
    slug: 'world-aids-day',
    name: 'World AIDS Day',
    dates: fixed(12, 1),
    description:
      'A World Health Organization day of remembrance and of support for people who live with HIV.',
    suggested_content:
      'Share plain facts on testing and treatment from your health service, and where to ask in confidence.',
  },
  {
    slug: 'giving-tuesday',
    name: 'Giving Tuesday',
    dates: after(5, nth(4, thursday, 11)),
    description:
      'A worldwide day of giving, on the Tuesday after Thanksgiving in the United States.',
    suggested_content:
      'Thank colleagues who volunteered this year, and make it easy to give with one link.',
  },
  {
    slug: 'international-volunteer-day',
    name: 'International Volunteer Day',
    dates: fixed(12, 5),
    description: 'A United Nations day that thanks volunteers.',
    suggested_content: 'Introduce one colleague who volunteers: what they do, and how one starts.',
  },
  {
    slug: 'human-rights-day',
    name: 'Human Rights Day',
    dates: fixed(12, 10),
    description: 'The anniversary of the Universal Declaration of Human Rights, 1948.',
    suggested_content:
      'Pick one article of the Declaration and describe what it means in your work.',
  },
] as const satisfies readonly Day[]
