import { describe, expect, test } from 'bun:test'
import { textLinesOf } from '../../../src/lib/html/sanitize-html.ts'
import { startsWithTitle } from '../../../src/lib/text/starts-with-title.ts'
import {
  type Case,
  discord,
  github,
  itemOf,
  mattermost,
  slack,
  teams,
} from '../../support/editorial.ts'

/** Events that no example of the editorial rules is about, and the title of each. */
const events: [title: string, event: Case][] = [
  [
    'tideline v5.0.0-rc.1 is out',
    github(
      'v5.0.0-rc.1',
      'v5.0.0-rc.1',
      '## Breaking\n- Drop Node 18 (#1234) by @tom in https://github.com/a/b/pull/1234',
    ),
  ],
  [
    'tideline 2026.11 is out',
    github(
      '2026.11',
      '2026.11',
      '### 🚀 Features\n* **api:** add `GET /users` ([#88](https://github.com/a/b/issues/88)) ([abc1234](https://github.com/a/b/commit/abc1234))\n\n### 🐛 Bug Fixes\n* fix crash on startup, closes #12\n\n### Chores\n* bump deps',
    ),
  ],
  [
    'tideline “Winter release ❄️” is out',
    github(
      'Winter release :snowflake:',
      'winter-2026',
      '![hero](https://example.com/hero.png)\n\nIt brings **offline maps**.\n\n<details><summary>Full list</summary>\n\n- one\n- two\n\n</details>',
    ),
  ],
  [
    'tideline 1.2.3 is out',
    github(
      'release/1.2.3',
      'release/1.2.3',
      'Fixes a problem where users of Safari could not log in. Thanks to @maria-k!',
    ),
  ],
  [
    'tideline-web 10.4.1 is out',
    github(
      'tideline-web@10.4.1',
      'tideline-web@10.4.1',
      '### Patch Changes\n\n- 1a2b3c4: Fix focus ring\n- Updated dependencies [1a2b3c4]\n  - @tideline/core@10.4.1',
    ),
  ],
  [
    'tideline 1.0 is out',
    github(
      '',
      '1.0',
      'First stable release! 🎉\n\nSHA256: `e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`',
    ),
  ],
  [
    'tideline v2.0.0 “The big rewrite” is out',
    github(
      'v2.0.0: The big rewrite',
      'v2.0.0',
      'We rewrote everything.\r\n\r\n* Faster\r\n* Smaller\r\n\r\n**Full Changelog**: https://github.com/a/b/compare/v1.9.0...v2.0.0',
    ),
  ],
  [
    'Nightly build 20261120 is out',
    github(
      'Nightly build 20261120',
      'nightly',
      'Automated nightly build from commit 0a1b2c3d4e5f.',
    ),
  ],
  [
    'tideline 1.4.0 is out',
    github(
      '1.4.0 (2026-11-19)',
      'v1.4.0',
      '# [1.4.0](https://github.com/a/b/compare/v1.3.0...v1.4.0) (2026-11-19)\n\n### Features\n\n* export to PDF ([1234567](https://github.com/a/b/commit/1234567))',
    ),
  ],
  [
    'tideline v1.4.1 is out',
    github(
      'Hotfix',
      'v1.4.1',
      '- [x] login\n- [ ] docs\n\n> Note: restart required\n\n```sh\ndocker pull acme/web:1.4.1\n```',
    ),
  ],
  ['安定版 3.0 is out', github('安定版 3.0', 'v3.0.0', '検索が速くなりました。')],
  [
    'tideline v9.9.9 is out',
    github(
      'v9.9.9',
      'v9.9.9',
      Array.from({ length: 20 }, (_, i) => `- feat(ui): improve page ${i} (#${i + 100})`).join(
        '\n',
      ),
    ),
  ],
  [
    'Barometer 4.2 is out',
    [
      'gitlab',
      'release.create',
      {
        name: 'Release 4.2',
        tag: 'v4.2',
        description:
          '## Added\n- Dark mode ([!99](https://gitlab.example/a/-/merge_requests/99))\n\n## Removed\n- Old login page\n\n/cc @all',
      },
    ],
  ],
  [
    'Barometer v4.2.1 is out',
    ['gitlab', 'release.create', { name: 'v4.2.1', tag: 'v4.2.1', description: '' }],
  ],
  [
    'lanternfish v0.9 “Spring cleaning” is out',
    [
      'gitea',
      'release.published',
      {
        'release.name': 'Spring cleaning',
        'release.tag_name': 'v0.9',
        'release.body':
          'Removed 12.000 lines. :tada:\n\n- chore(deps): update module golang.org/x/net to v0.30.0\n- fix: **memory leak**',
      },
    ],
  ],
  [
    'Moorlog 2026-11 (Web) is out',
    [
      'jira',
      'version_released',
      {
        'version.name': 'Release 2026-11 (Web)',
        'version.description':
          'Faster checkout, see APOLLO-99 and https://jira.example/browse/APOLLO-99',
      },
    ],
  ],
  [
    'Q3 numbers are in: revenue up 14% 📈 see the deck',
    slack(
      '*Q3 numbers are in*: revenue up 14% :chart_with_upwards_trend: :partyparrot: see <https://acme.example/q3|the deck>',
    ),
  ],
  ['We signed Hafen GmbH!', slack('We signed Hafen GmbH! <https://crm.example/deals/4711>')],
  [
    'Please welcome Zoë Ångström & Jörg Weiß to Hamburg',
    slack('Please welcome Zoë Ångström &amp; Jörg Weiß to Hamburg', '/welcome'),
  ],
  ['Shipped the new search', slack('ACME-1234: [BE] shipped the new search', '/news')],
  ['And my comment', slack('> quoted line\n> second\nand my comment', '/news')],
  [
    'Kudos to everyone who helped with the move ❤️',
    slack('to everyone who helped with the move :heart:', '/kudos'),
  ],
  [
    'Shipped the app 🚀',
    mattermost('win **Shipped** [the app](https://app.example) :rocket: @channel'),
  ],
  [
    'Parking',
    mattermost(
      'news ### Parking\n\nThe garage is closed on *Friday*.\n\n| Day | Open |\n|---|---|\n| Mon | yes |',
    ),
  ],
  [
    'Grace, our new SRE (starts 1 December)',
    mattermost('welcome Grace, our new **SRE** (starts 1 December)'),
  ],
  ['We hit 10,000 users!!', discord('We hit ||10,000|| users!! <:party:123456789012345678> @here')],
  ['Big news', discord('# Big news\n-# small print\n**Office** opens <t:1795000000:F>', 'news')],
  ['Old new logo, see brand', discord('~~old~~ __new__ logo, see [brand](https://brand.example)')],
  [
    'We won the award 😀',
    teams(
      'win <p>We <strong>won</strong> the <em>award</em>&nbsp;😀</p><ul><li>first</li><li>second</li></ul>',
    ),
  ],
  ['Omar joins Legal on Monday', teams('welcome <div>Omar joins <b>Legal</b> on Monday</div>')],
]

const rawMarkup =
  /\*\*|__|~~|\|\||`|:[a-z_]+:|^-# |^#{1,6} |\+\+\+|\[[ x]\]|<[!@#]|\/(?:cc|label)\b/m
const codes = /\b[0-9a-f]{12,}\b|\b[A-Z]{2,}-\d+:|\[(?:BE|FE|API)\]|\(#\d+\)/

describe('An item that an editor can publish unchanged', () => {
  test.each(events)('%s', async (title, event) => {
    const item = await itemOf(event)
    const text = textLinesOf(item.body)
    expect(item.title).toBe(title)
    expect([...item.title].length).toBeLessThanOrEqual(80)
    for (const words of [item.title, text]) {
      expect(words).not.toMatch(rawMarkup)
      expect(words).not.toMatch(codes)
    }
    if (item.source_url) expect(item.body).not.toContain(item.source_url)
    const [firstLine = ''] = text.split('\n').filter((line) => line.trim() !== '')
    const isShownOnce = startsWithTitle(item.title, text)
    expect(isShownOnce || firstLine !== item.title).toBe(true)
  })
})
