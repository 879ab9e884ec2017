import {
  diwali,
  eidAlAdha,
  eidAlFitr,
  hanukkah,
  lunarNewYear,
  midAutumn,
  passover,
  roshHashanah,
  yomKippur,
} from './moon.ts'
import { after, type Day, easter, fixed, orthodoxEaster } from './rules.ts'

/** Holidays and cultural days from many countries, in the order of the year. */
export const cultural = [
  {
    slug: 'orthodox-christmas',
    name: 'Orthodox Christmas',
    dates: fixed(1, 7),
    description: 'Christmas in churches that follow the Julian calendar.',
    suggested_content:
      'Wish a good feast to colleagues who celebrate, and let one of them describe how.',
  },
  {
    slug: 'lunar-new-year',
    name: 'Lunar New Year',
    dates: lunarNewYear,
    description:
      'The first day of the Chinese lunar year, kept in much of East and South-East Asia.',
    suggested_content:
      'Name the animal of the year, and ask colleagues what is on their table tonight.',
  },
  {
    slug: 'saint-patricks-day',
    name: "Saint Patrick's Day",
    dates: fixed(3, 17),
    description: 'The feast of the patron saint of Ireland, and a day of Irish culture everywhere.',
    suggested_content: 'A song, a book or a recipe from an Irish colleague beats a green hat.',
  },
  {
    slug: 'international-nowruz-day',
    name: 'International Nowruz Day',
    dates: fixed(3, 21),
    description:
      'A United Nations day for Nowruz, the New Year of spring from the Balkans to Central Asia.',
    suggested_content:
      "Explain the table of seven things, the haft-sin, with a picture from a colleague's home.",
  },
  {
    slug: 'eid-al-fitr',
    name: 'Eid al-Fitr',
    dates: eidAlFitr,
    description:
      'The feast at the end of Ramadan. It depends on the sighting of the moon: the date may differ by a day or two from place to place.',
    suggested_content:
      'Wish Eid Mubarak, and remind teams to keep meetings light for those who celebrate.',
  },
  {
    slug: 'good-friday',
    name: 'Good Friday',
    dates: after(-2, easter),
    description:
      'The Friday before Easter in the Western churches; a public holiday in many countries.',
    suggested_content: 'Say which offices are closed over the long weekend and who is on call.',
  },
  {
    slug: 'easter-sunday',
    name: 'Easter Sunday',
    dates: easter,
    description: 'The main feast of the Christian year, by the Western calendar.',
    suggested_content:
      'Easter wishes, and a photo round: how do colleagues spend the long weekend?',
  },
  {
    slug: 'passover',
    name: 'Passover',
    dates: passover,
    description:
      'The Jewish feast of freedom. This is its first day; it begins at sunset the evening before.',
    suggested_content:
      'Wish a happy Passover, and avoid team lunches in this week for those who keep it.',
  },
  {
    slug: 'orthodox-easter',
    name: 'Orthodox Easter',
    dates: orthodoxEaster,
    description: 'Easter in the Orthodox churches, by the Julian reckoning.',
    suggested_content:
      'Easter wishes to colleagues who celebrate today; say which offices are closed.',
  },
  {
    slug: 'world-book-and-copyright-day',
    name: 'World Book and Copyright Day',
    dates: fixed(4, 23),
    description: 'A UNESCO day for books, readers and authors.',
    suggested_content: 'Three colleagues, three books, one sentence each.',
  },
  {
    slug: 'eid-al-adha',
    name: 'Eid al-Adha',
    dates: eidAlAdha,
    description:
      'The Feast of Sacrifice, at the end of the pilgrimage. It depends on the sighting of the moon: the date may differ by a day or two from place to place.',
    suggested_content:
      'Wish Eid Mubarak, and let a colleague describe how their family celebrates.',
  },
  {
    slug: 'rosh-hashanah',
    name: 'Rosh Hashanah',
    dates: roshHashanah,
    description:
      'The Jewish New Year. This is its first day; it begins at sunset the evening before.',
    suggested_content:
      'Wish a good and sweet year, shana tova, and keep this week free of big deadlines where you can.',
  },
  {
    slug: 'mid-autumn-festival',
    name: 'Mid-Autumn Festival',
    dates: midAutumn,
    description: 'The feast of the full harvest moon in East and South-East Asia.',
    suggested_content: 'Mooncakes for the kitchen, and a short tale of the moon from a colleague.',
  },
  {
    slug: 'yom-kippur',
    name: 'Yom Kippur',
    dates: yomKippur,
    description:
      'The Day of Atonement, the most solemn day of the Jewish year. It begins at sunset the evening before.',
    suggested_content: 'A quiet note is enough: many colleagues fast and are away today.',
  },
  {
    slug: 'diwali',
    name: 'Diwali',
    dates: diwali,
    description:
      'The festival of lights. This is its main day in most of India; some regions keep it a day earlier or later.',
    suggested_content:
      'Ask colleagues for photos of their lights, and share one recipe for sweets.',
  },
  {
    slug: 'day-of-the-dead',
    name: 'Day of the Dead',
    dates: fixed(11, 2),
    description:
      'Día de los Muertos: in Mexico and beyond, families remember their dead with color and food.',
    suggested_content:
      "Explain the ofrenda, the family altar, with a picture and a colleague's memory.",
  },
  {
    slug: 'hanukkah',
    name: 'Hanukkah',
    dates: hanukkah,
    description:
      'The Jewish festival of lights, eight days long. This is its first day; it begins at sunset the evening before.',
    suggested_content: 'Wish a happy Hanukkah, and add a recipe for doughnuts or latkes.',
  },
  {
    slug: 'christmas-day',
    name: 'Christmas Day',
    dates: fixed(12, 25),
    description:
      'The feast of the birth of Jesus, and for many a day of family whatever they believe.',
    suggested_content:
      "Season's greetings from the team, and who can be reached over the holidays.",
  },
  {
    slug: 'kwanzaa',
    name: 'Kwanzaa',
    dates: fixed(12, 26),
    description: 'The first of seven days that celebrate African-American culture, since 1966.',
    suggested_content:
      'Name the seven principles, and let a colleague say which one matters most to them.',
  },
] as const satisfies readonly Day[]
