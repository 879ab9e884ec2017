import { sampleBlock, sampleNewsletter } from '../sample-newsletter.ts'
import { company, picture } from './companies.ts'

const release = (title: string, body: string, changes = {}) =>
  sampleBlock({
    title,
    body,
    block_type: 'wins_milestones',
    source_url: 'https://git.tideline.example/releases/1',
    ...changes,
  })

/** A month of releases, as the adapters of code hosts compose them. */
export const releaseNotes = sampleNewsletter(
  [
    release(
      'tideline-web v2.4.0 is out',
      '<h3>New</h3><ul><li>Search: offline index, so that the last 90 days are found without a network (Ines A.)</li><li>Share a chart by link</li></ul><h3>Improved</h3><ul><li>The first page loads in 0.8 s instead of 2.1 s</li></ul><h3>Fixed</h3><ul><li>Handle ⚠️ in titles</li><li>Times in exports are in the zone of the reader</li></ul>',
      { image_url: picture('wide-chart'), image_alt: 'A chart with a share button' },
    ),
    release(
      'tideline-ios 5.12.1 is out',
      '<ul><li>Signing in with a passkey works on the iPad</li><li>Notifications are grouped by project</li><li>Less battery use in the background</li></ul><p>and 14 more</p>',
    ),
    release('@tideline/ui 4.2.0 is out', '<p>Maintenance release.</p>'),
    release(
      'Offline mode is here',
      '<p>tideline-desktop v3.1.0</p><p>You can now read, write and comment without a network. Changes are merged when you are back, and you see what was merged.</p><table><thead><tr><th>Platform</th><th>Version</th><th>Size</th></tr></thead><tbody><tr><td>macOS</td><td>3.1.0</td><td>84 MB</td></tr><tr><td>Windows</td><td>3.1.0</td><td>91 MB</td></tr></tbody></table>',
    ),
    release(
      '9 releases of tideline-api, 16–22 November',
      '<p>v1.91.0: Webhooks have an id that stays the same when they are repeated.</p><p>v1.90.0: <code>GET /charts</code> takes a list of projects.</p><pre><code>curl -H "Authorization: Bearer $TOKEN" "https://api.tideline.example/v1/charts?project=web&amp;project=ios"</code></pre>',
    ),
    release('Milestone “Offline mode” reached', '<p>12 of 14 done in tideline-web.</p>'),
    sampleBlock({
      title: 'Node 20 support ends in March',
      block_type: 'policy_change',
      body: '<p>Services that still use it: <code>invoice-renderer</code>, <code>legacy-import</code>, <code>@tideline/experimental-feature-flag-evaluation-service</code>.</p>',
    }),
    sampleBlock({
      title: 'How the search index fits into 40 MB',
      block_type: 'learning_development',
      author: 'Ines Aydin',
      source_url: 'https://engineering.tideline.example/index',
      image_url: picture('landscape-whiteboard'),
      image_alt: 'A whiteboard full of arrows',
      image_size: 'medium',
      body: '<p>Front coding, a small dictionary, and the courage to forget rare words.</p>',
    }),
  ],
  {
    title: 'What we shipped in November',
    subject_line: 'Offline mode, passkeys and a faster first page',
    preheader_text: 'Six releases and one farewell',
    team: company('Tideline Engineering', '#5b5bd6', true),
    date: '2026-11-30',
    archive_url: 'https://tidings.tideline.example/archive/1',
  },
)

/** Short items of many kinds, without pictures, in the order of the team. */
export const productDigest = sampleNewsletter(
  Array.from({ length: 14 }, (_, at) =>
    sampleBlock({
      title:
        [
          'New website: on track',
          'Checkout is 30 % faster',
          'Add offline cache',
          'Import from spreadsheets is done',
          'Single sign-on for all plans',
          'Harbour Bank renews for three years',
          'SOC 2 audit begins on 1 December',
        ][at % 7] ?? '',
      block_type: at % 3 ? 'wins_milestones' : 'general',
      author: at % 2 ? 'Mina Okafor' : null,
      source_url: at % 4 ? null : 'https://linear.example/issue/1',
      body:
        [
          '<p>Design is final, and the first pages are with the translators.</p>',
          '<p>Median from 3.1 to 2.2 seconds, measured on phones.</p>',
          '<p>Done in Apollo.</p>',
          '<p>It reads XLSX, ODS and CSV, also with the date formats of nine countries.</p>',
        ][at % 4] ?? '',
    }),
  ),
  {
    title: 'Product digest, week 47',
    subject_line: 'Product digest, week 47',
    team: company('Meridian', null),
    date: '2026-11-20',
    elements: [
      { type: 'section', before_position: 1, heading: 'Done' },
      { type: 'section', before_position: 6, heading: 'In progress' },
      {
        type: 'callout',
        before_position: 11,
        heading: null,
        body: '<p>Planning for the first quarter is on 3 December. <a href="https://wiki.meridian.example/q1">Add your topics</a> until Monday.</p>',
      },
      { type: 'section', before_position: 11, heading: 'Customers' },
    ],
  },
)
