import type { RenderableBlock, RenderableNewsletter } from '../../src/features/newsletters/index.ts'

/** A block with nothing special about it, changed where a test cares. */
export function sampleBlock(changes: Partial<RenderableBlock> = {}): RenderableBlock {
  return {
    title: 'Search is twice as fast',
    body: '<p>Every search now answers in <b>80 ms</b>.</p>',
    body_format: 'html',
    block_type: 'general',
    image_url: null,
    image_size: null,
    status: 'ready',
    ...changes,
  }
}

/** A newsletter with these blocks. */
export function sampleNewsletter(
  blocks: readonly RenderableBlock[],
  changes: Partial<RenderableNewsletter> = {},
): RenderableNewsletter {
  return {
    title: 'Harbour notes',
    subject_line: 'What November brought',
    preheader_text: 'Two releases, five new colleagues and a date for your diary',
    team: { name: 'Lantern Street', brand_color: '#8b5cf6' },
    date: '2026-11-20',
    blocks,
    ...changes,
  }
}

const picture = (name: string) => `https://pictures.lantern.example/${name}.svg`

/** A newsletter as teams send them: every block type, and the bodies that layouts break on. */
export const realisticNewsletter = sampleNewsletter([
  sampleBlock({
    title: 'Where we stand before the winter',
    block_type: 'ceo_update',
    author: 'Ines Okafor',
    body: '<p>We said in spring that this would be the year of fewer, better releases. Eleven months later it is: nine releases, none of them rolled back, and a support queue that fits on one screen.</p><blockquote><p>It is the first tool my team did not have to be talked into.</p></blockquote><p>Thank you for the patience this took. The numbers in full are on <a href="https://wiki.lantern.example/numbers?q=4&amp;y=2026">the wiki page for the fourth quarter</a>.</p>',
  }),
  sampleBlock({
    title: 'Version 2.4 is out 🎉',
    block_type: 'wins_milestones',
    image_url: picture('wide'),
    image_size: 'full_width',
    source_url: 'https://git.lantern.example/web/releases/2.4',
    body: '<h2>What is new</h2><ul><li>Search answers in <b>80 ms</b></li><li>Dark mode everywhere<ul><li>also in mail</li><li>also in print, where it is of no use</li></ul></li><li>Keyboard shortcuts</li></ul><p>To bring your checkout up to date:</p><pre><code>git fetch --all --tags --prune &amp;&amp; git checkout v2.4.0\nbun install --frozen-lockfile\nbun run migrate --database postgres://localhost:5432/lantern_development_with_a_long_name</code></pre><p>Then restart with <code>bun run start</code>.</p>',
  }),
  sampleBlock({
    title: 'Numbers of the month',
    block_type: 'wins_milestones',
    body: '<table><thead><tr><th>Region</th><th>Orders</th><th>Change</th></tr></thead><tbody><tr><td>North</td><td>1,204</td><td>+12 %</td></tr><tr><td>South, including the islands</td><td>987</td><td>+3 %</td></tr><tr><td>Partners</td><td>311</td><td>−4 %</td></tr></tbody></table><ol><li>Count on Monday</li><li>Publish on Tuesday</li></ol>',
  }),
  sampleBlock({
    title: 'Welcome, Mateo Lindqvist',
    block_type: 'new_starter',
    image_url: picture('portrait'),
    image_size: 'small',
    author: 'People team',
    body: '<p>Mateo joins the data team in Porto on 1 December. Before that he ran the observatory in La Silla, and he will happily tell you which of the two had the better coffee. Say hello in #data.</p>',
  }),
  sampleBlock({
    title: 'Team of the month: the night shift',
    block_type: 'team_spotlight',
    image_url: picture('landscape'),
    image_size: 'medium',
    body: 'Four people, one kettle, and no missed page since March.\n\nThey wrote down how they do it: https://wiki.lantern.example/night-shift. Read it before your first week on call (it takes ten minutes).',
    body_format: 'text',
  }),
  sampleBlock({
    title: 'יום היכרות בסניף תל אביב',
    block_type: 'event_announcement',
    body: '<p>ביום שלישי, 9 בדצמבר, בשעה 17:00 נפתח את הסניף החדש. כולם מוזמנים.</p><ul><li>סיור במשרד</li><li>ארוחת ערב</li></ul>',
  }),
  sampleBlock({
    title: 'Winter gathering on 18 December',
    block_type: 'event_announcement',
    source_url: 'https://events.lantern.example/winter',
    body: '<p>Doors open at 18:00 in the old customs house. Bring a dish, a guest, or both.</p>',
  }),
  sampleBlock({
    title: 'Which day should be meeting-free?',
    block_type: 'poll',
    author: 'Ada Brandt',
    source_url: 'https://forms.lantern.example/meeting-free-day',
    body: '<p>Two minutes, three options, open until Friday.</p>',
  }),
  sampleBlock({
    title:
      'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft joins as a customer',
    block_type: 'general',
    body: '<p>Their address alone is a test: https://portal.donaudampfschifffahrtselektrizitaetenhauptbetriebswerk.example/kundenbereich/vertragsunterlagen/2026/november/rahmenvertrag.pdf</p>',
  }),
  sampleBlock({
    title: 'New rule for travel bookings',
    block_type: 'policy_change',
    body: '<p>From January, book trains and hotels in the portal; keep receipts <em>only</em> for meals.</p><dl><dt>Under 200 km</dt><dd>Train, second class</dd><dt>Over 800 km</dt><dd>Ask first</dd></dl>',
  }),
  sampleBlock({
    title: 'A course in clear writing',
    block_type: 'learning_development',
    image_url: picture('square'),
    image_size: 'small',
    source_url: 'https://learn.lantern.example/clear-writing',
    body: '<p>Four mornings with Ngozi Adeyemi. <s>Twelve</s> Eight places left.</p>',
  }),
  sampleBlock({
    title: 'Lost and found',
    block_type: 'general',
    body: '<p>One umbrella, green. One badge. One very small shoe.</p><figure><img src="https://pictures.lantern.example/landscape.svg" alt="A green umbrella" /><figcaption>The umbrella in question</figcaption></figure>',
  }),
])

/** A newsletter that uses everything a newsletter can have besides blocks, in the team's own sections. */
export const composedNewsletter = sampleNewsletter(
  [
    sampleBlock({
      title: 'Kudos to Bob Marsh for staying up all night',
      block_type: 'wins_milestones',
      author: 'Ada Brandt',
      body: '<p>Kudos to Bob Marsh for staying up all night.</p>',
    }),
    sampleBlock({ title: 'tideline-web v2.4.0 is out', block_type: 'wins_milestones' }),
    ...['Grace Hopper', 'Mateo Lindqvist', 'Yuki Tanaka'].map((name, at) =>
      sampleBlock({
        title: `${name} joins as Data Engineer`,
        block_type: 'new_starter',
        body: '<p>Starts on Monday, 5 January.</p>',
        image_url: at === 0 ? picture('portrait') : null,
        image_size: 'small',
      }),
    ),
    sampleBlock({
      title: 'Winter gathering',
      block_type: 'event_announcement',
      event_date: '2026-12-18',
      body: '<p>Doors open at 18:00.</p>',
    }),
  ],
  {
    team: {
      name: 'Lantern Street',
      brand_color: '#8b5cf6',
      logo: { url: picture('logo'), alt: 'Lantern', width: 320, height: 80 },
      contact: 'news@lantern.example',
      share_url: 'https://tidings.lantern.example/submit',
    },
    cover: { image_url: null, image_alt: null, color: '#0f766e' },
    intro: '<p>Good <b>morning</b>. This month in <a href="https://a.example/">short</a>.</p>',
    closing: '<p>See you in December.</p>',
    table_of_contents: true,
    archive_url: 'https://tidings.lantern.example/archive/1',
    elements: [
      { type: 'section', before_position: 1, heading: 'Well done' },
      { type: 'divider', before_position: 2 },
      { type: 'section', before_position: 3, heading: 'New faces' },
      {
        type: 'callout',
        before_position: 6,
        heading: 'Closed from 24 December',
        body: '<p>See <a href="https://a.example/rota">the <code>rota</code></a>.</p>',
      },
      {
        type: 'poll',
        before_position: 7,
        heading: 'Where should the party be?',
        options: [
          { label: 'At the river', url: 'https://forms.lantern.example/1' },
          { label: 'On the roof', url: 'https://forms.lantern.example/2' },
        ],
      },
    ],
  },
)
