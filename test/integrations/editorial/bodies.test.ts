import { describe, expect, test } from 'bun:test'
import type { Language } from '../../../src/contract/vocabulary.ts'
import {
  type Case,
  discord,
  github,
  mattermost,
  slack,
  teams,
  textOf,
} from '../../support/editorial.ts'

const candidate = (first_name: string, last_name: string): Case => [
  'greenhouse',
  'hire_candidate',
  {
    'payload.application.candidate.first_name': first_name,
    'payload.application.candidate.last_name': last_name,
  },
]
const course = (name: string, notes: string): Case => [
  'standard-webhooks',
  'release',
  { 'data.release.name': name, 'data.release.notes': notes },
]
const once = (title: string) => `<p>${title}</p>`

type Row = [title: string, body: string, event: Case, language?: Language]

const releases: Row[] = [
  [
    'tideline v2.0.0-beta.3 ist da',
    '<blockquote><p>This is a beta.</p></blockquote><h3>Neu</h3><ol><li><strong>Realtime</strong> cursors</li><li>Comments</li></ol>',
    github(
      'v2.0.0-beta.3',
      'v2.0.0-beta.3',
      '> [!WARNING]\n> This is a beta.\n\n### Highlights\n\n1. **Realtime** cursors\n2. Comments\n\n### Contributors\n@ada, @bob',
    ),
    'de',
  ],
  [
    'Desktop 4.0 est disponible',
    '<h3>Nouveautés</h3><ul><li>Tabs ✨</li><li>Split view</li></ul><p><strong>Corrections:</strong> No more flicker when resizing</p>',
    github(
      'Desktop 4.0',
      'desktop-v4.0.0',
      '### ✨ New features\n- Tabs ✨\n- Split view\n### 🐛 Bugfixes\n- No more flicker when resizing ([#901](https://github.com/a/b/issues/901))\n### 📦 Dependencies\n- Electron 33',
    ),
    'fr',
  ],
  [
    'tideline 2026-11-19 is out',
    '<p>Deploy to production.</p><ul><li>Fix typo</li></ul><p><strong>New:</strong> new invoice layout</p>',
    github(
      '2026-11-19',
      '2026-11-19',
      'Deploy to production.\n\nCommits:\n- 3f2a1b9 fix typo\n- 9c8d7e6 feat: new invoice layout',
    ),
  ],
  [
    'Tideline CLI 🎉 1.0 — finally stable!',
    '<p>cli v1.0.0</p><p>After three years.</p><p>Thanks everyone ❤️</p>',
    github(
      'Tideline CLI 🎉 1.0 — finally stable!',
      'cli/v1.0.0',
      'After three years:\n\n```\nnpm i -g tideline\n```\n\nThanks everyone :heart:',
    ),
  ],
  [
    'Barometer v5.0.1 is out',
    '<h3>Fixed</h3><ul><li>Login loop</li><li>Time zone in emails</li></ul>',
    [
      'gitlab',
      'release.create',
      {
        name: 'v5.0.1',
        tag: 'v5.0.1',
        description:
          '## 5.0.1 (2026-11-20)\n\n### Fixed (2 changes)\n\n- [Fix login loop](harrow/barometer@abcdef12) ([merge request](harrow/barometer!77))\n- Fix time zone in emails',
      },
    ],
  ],
  [
    'Signal Post v2.1.1 już dostępne',
    '<p>Wydanie serwisowe.</p>',
    [
      'bitbucket',
      'push.tag',
      { 'push.changes.0.new.name': 'v2.1.1', 'push.changes.0.new.message': 'v2.1.1' },
    ],
    'pl',
  ],
  [
    'Moorlog 6 ist da',
    '<h3>Neu</h3><ul><li>Routen <strong>teilen</strong></li><li><code>GPX</code>-Export</li></ul>',
    [
      'jira',
      'version_released',
      {
        'version.name': 'Moorlog 6',
        'version.description':
          'h2. Neu\n* Routen *teilen*\n* {{GPX}}-Export [MOOR-99]\n{code}x{code}',
      },
    ],
    'de',
  ],
]

const trackers: Row[] = [
  [
    'As a user, I want to reset my password by SMS',
    '<p>Done in Moorlog.</p>',
    [
      'jira',
      'issue_updated.resolved',
      {
        'issue.fields.summary':
          'APOLLO-77 [FE][Mobile] As a user, I want to reset my password by SMS',
      },
    ],
  ],
  [
    'Larkspur ferry: off track',
    '<p>We are <strong>two weeks late</strong>.</p><p><strong>Details</strong></p><ul><li>✓ API</li><li>☐ App</li></ul>',
    [
      'linear',
      'project_update.create',
      {
        'data.body':
          'We are **two weeks late**.\n\n+++ Details\n\n- [x] API\n- [ ] App ([LIN-123](https://linear.app/q/issue/LIN-123))\n\n+++\n\ncc @noor',
        'data.health': 'offTrack',
      },
    ],
  ],
]

const people: Row[] = [
  [
    'Imani Castellanos rejoint l’équipe : Senior Hydrographer',
    '<p>Imani commence dans l’équipe Sea Charts à Porto et Bergen le lundi 1er février 2027.</p>',
    candidate('Imani', 'Castellanos'),
    'fr',
  ],
  [
    "Jean-Luc D'Almeida joins as Senior Hydrographer",
    '<p>Jean-Luc starts in Sea Charts in Porto and Bergen on Monday, 1 February 2027.</p>',
    candidate('jean-luc', "D'ALMEIDA"),
  ],
  [
    '田中 優希さんがSenior Hydrographerとして入社します',
    '<p>田中さんは2027年2月1日(月)からPorto、BergenでSea Chartsの勤務を開始します。</p>',
    candidate('優希', '田中'),
    'ja',
  ],
]

const chats: Row[] = [
  [
    'First item, Second item, Third',
    '<ul><li>First item</li><li>Second item</li><li>Third</li></ul>',
    slack('• First item\n• Second item\n• Third'),
  ],
  [
    'Signed, Paid',
    '<ol><li>Signed</li><li>Paid</li></ol>',
    teams('win <ol><li>Signed</li><li>Paid</li></ol>'),
  ],
  [
    'The new deploy command works',
    '<p><code>npm run deploy</code></p>',
    slack('```npm run deploy```\nThe new deploy command works', '/news'),
  ],
  ...[
    slack('Two lines are enough:\n```curl a\ncurl b```\nThat is all', '/news'),
    slack('Two lines are enough: ```curl a\ncurl b``` That is all', '/news'),
    teams(
      'news Two lines are enough:<codeblock class="Bash"><code>curl a<br>curl b</code></codeblock><p>That is all</p>',
    ),
    teams('news <p>Two lines are enough:</p><pre class="x">curl a\ncurl b</pre><p>That is all</p>'),
    discord('Two lines are enough:\n```sh\ncurl a\ncurl b```\nThat is all'),
  ].map(
    (sent): Row => [
      'Two lines are enough',
      '<pre><code>curl acurl b</code></pre><p>That is all</p>',
      sent,
    ],
  ),
  [
    'Rename old_name to new_name & a`b',
    '<p>Rename <code>old_name</code> to <code>new_name</code> &amp; <code>a`b</code></p>',
    teams('news Rename <code>old_name</code> to <code>new_name</code> &amp; <code>a`b</code>'),
  ],
  [
    'We won the old deal',
    '<p>It calls __init__</p>',
    slack('We **won** the ~~old~~ deal\nIt calls __init__', '/win'),
  ],
  [
    'We won the deal',
    '<p>We <strong>won</strong> the deal</p>',
    slack('We **won** the deal', '/win'),
  ],
  [
    'Ein Dank an Tomás Weld für die ruhige Nacht',
    once('Ein Dank an Tomás Weld für die ruhige Nacht'),
    slack('an <@U0TOMAS|Tomás Weld> für die ruhige Nacht', '/kudos'),
    'de',
  ],
  [
    'Kudos to @tomas for fixing prod at 3am 🚒',
    once('Kudos to @tomas for fixing prod at 3am 🚒'),
    slack('@tomas @here for fixing prod at 3am :fire_engine:', '/kudos'),
  ],
  [
    'We passed the SOC 2 audit!',
    '<p><a href="https://docs.example/d/1">docs.example/d/1</a></p>',
    slack('We passed the SOC 2 audit! Details: https://docs.example/d/1', '/news'),
  ],
  [
    'The cafeteria closes at 14:00 on Fridays from now on',
    once('The cafeteria closes at 14:00 on Fridays from now on.'),
    slack(
      'Hi all,\n\nthe cafeteria closes at 14:00 on Fridays from now on.\n\nBest, Facilities',
      '/news',
    ),
  ],
  [
    'Timesheets are due 18 November 2026',
    once('Timesheets are due 18 November 2026'),
    slack('Timesheets are due <!date^1795000000^{date_long} at {time}|tomorrow>', '/news'),
  ],
  [
    'Customers say',
    '<blockquote><p>Customers say:<br>It just works</p></blockquote>',
    slack('>>> Customers say:\nIt just works'),
  ],
  [
    'Launch day',
    '<blockquote><p>quoted <strong>all</strong><br>lines</p></blockquote>',
    discord('## Launch day\n>>> quoted **all**\nlines', 'news'),
  ],
  [
    'Kudos to Tomas W. for the #town-square tour',
    once('Kudos to Tomas W. for the #town-square tour'),
    mattermost('kudos Tomas W. for the ~town-square tour'),
  ],
  [
    'Die Kantine hat ab Montag neue Zeiten',
    '<ul><li>Mo · 11–14</li></ul>',
    teams(
      'news <p>Guten Morgen zusammen,</p><p>die Kantine hat ab <b>Montag</b> neue Zeiten.</p><table><tr><td>Mo</td><td>11–14</td></tr></table><p>Grüße</p>',
    ),
    'de',
  ],
  [
    'Kudos to Bob Marsh and Ada 🎉',
    '<p>for the demo</p>',
    teams('kudos <at>Bob Marsh</at> and <at>Ada</at> 🎉<br>for the demo'),
  ],
  [
    'RESOLVED: API latency',
    '<p><a href="https://grafana.example/d/1">RESOLVED: API latency</a><br><strong>Value:</strong> 120 ms<br>env: prod</p>',
    [
      'slack-incoming',
      'attachments',
      {
        text: '',
        attachments: [
          {
            title: '[RESOLVED] API latency',
            title_link: 'https://grafana.example/d/1',
            text: '*Value:* 120 ms',
            fields: [{ title: 'env', value: 'prod' }],
          },
        ],
      },
    ],
  ],
]

const others: Row[] = [
  [
    'Clear writing',
    '<p>Four mornings. <a href="https://learn.example/c/1">Register</a></p>',
    course(
      'Clear writing',
      '# Clear writing\n\nFour mornings. [Register](https://learn.example/c/1)',
    ),
  ],
  ['Team lunch', once('Team lunch'), course('Team lunch', 'Team lunch')],
  [
    'Launch party on 16. Dezember 2026 um 18:00 with Ada Lovelace',
    '<p>The hall is open on 16.–17. Dezember 2026, with Ada Lovelace.</p><ul><li>Doors: 16. Dezember 2026</li></ul>',
    ['notion', 'page.properties_updated.mentions', {}],
    'de',
  ],
]

const kinds: Record<string, Row[]> = {
  'a release': releases,
  'news from a tracker': trackers,
  'a new colleague': people,
  'a chat message': chats,
  'an item of another tool': others,
}

describe('An item reads well in title and body', () => {
  const cases = Object.entries(kinds).flatMap(([kind, rows]) =>
    rows.map(([title, body, event, language = 'en']) => ({ kind, title, body, event, language })),
  )
  test.each(cases)('$kind reads well in title and body: $title', async (row) => {
    expect(await textOf(row.event, row.language)).toEqual({ title: row.title, body: row.body })
  })
})
