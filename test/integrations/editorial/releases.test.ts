import { expect, test } from 'bun:test'
import { casesOf, github, type Row, slack, textOf } from '../../support/editorial.ts'

// Release notes and issues as bots and people write them, with the exact words that readers get.

const rows: Row[] = [
  [
    'steps, and a table and a paragraph below the points',
    'tideline v7.1 is out',
    '<p>Maps load faster.</p><h3>How to upgrade</h3><ol><li>Back up your data</li><li>Start the new version</li></ol><h3>Speed</h3><ul><li>Tiles are cached</li></ul><table><thead><tr><th>Map</th><th>Seconds</th></tr></thead><tbody><tr><td>Oslo</td><td>2</td></tr></tbody></table><p>Measured on a phone.</p>',
    github(
      'v7.1',
      'v7.1',
      'Maps load faster.\n\n## How to upgrade\n\n1. Back up your data\n2. Start the new version\n\n## Speed\n\n- Tiles are cached\n\n| Map | Seconds |\n|---|---|\n| Oslo | 2 |\n\nMeasured on a phone.',
    ),
  ],
  [
    'updates of dependencies only',
    'tideline v1.2.3 is out',
    '<p>Maintenance release.</p>',
    github(
      'v1.2.3',
      'v1.2.3',
      "## What's Changed\n* Bump lodash from 4.17.20 to 4.17.21 by @dependabot in https://github.com/acme/web/pull/1\n* build(deps-dev): bump @types/node from 20.1 to 22.2 in /web by @dependabot[bot] in #2\n* Update dependency vite to v6 by @renovate in https://github.com/acme/web/pull/3\n* chore(deps): lock file maintenance by @renovate[bot] in https://x/4\n\n**Full Changelog**: https://github.com/acme/web/compare/v1.2.2...v1.2.3",
    ),
  ],
  [
    'notes of release-please',
    'tideline-web v2.6.0 is out',
    '<p><strong>Please note:</strong> API: the old tokens stop working</p><h3>New</h3><ul><li>Search: offline index</li><li>Dark mode</li></ul><p><strong>Improved:</strong> DB: half the queries</p><p><strong>Fixed:</strong> handle 10k rows without a crash</p>',
    github(
      'tideline-web: v2.6.0',
      'tideline-web-v2.6.0',
      '## [2.6.0](https://github.com/a/b/compare/v2.5.0...v2.6.0) (2026-11-20)\n\n\n### ⚠ BREAKING CHANGES\n\n* **api:** the old tokens stop working\n\n### Features\n\n* **search:** offline index ([#123](https://github.com/a/b/issues/123)) ([a1b2c3d](https://github.com/a/b/commit/a1b2c3d4e5f60718293a4b5c6d7e8f9012345678))\n* dark mode ([e5f6071](https://github.com/a/b/commit/a1b2c3d4e5f60718293a4b5c6d7e8f9012345678)), closes [#9](https://x/9)\n\n\n### Bug Fixes\n\n* handle 10k rows without a crash ([1234567](https://x))\n* **deps:** update dependency zod to v4\n\n### Performance Improvements\n\n* **db:** half the queries\n\n### Reverts\n\n* "feat: x"\n\n### Miscellaneous Chores\n\n* release 2.6.0\n\n---\nThis PR was generated with [Release Please](https://github.com/googleapis/release-please). See [documentation](https://x).',
    ),
  ],
  [
    'a Keep a Changelog',
    'tideline 1.4.0 is out',
    '<h3>New</h3><ul><li>Exports to CSV</li><li>Import of vCards (mina)</li></ul><p><strong>Deprecated:</strong> Old import</p><p><strong>Removed:</strong> Support for Node 18</p><p><strong>Improved:</strong> <code>tidy</code> is now the default</p><h3>Fixed</h3><ul><li>Crash when <code>name</code> is empty</li><li>CVE-2026-1234: update parser</li></ul>',
    github(
      '1.4.0',
      '1.4.0',
      '## [1.4.0] - 2026-11-20\n### Added\n- Exports to CSV.\n- [#88] Import of vCards, thanks @mina!\n### Changed\n- `tidy` is now the default ([!12](https://x))\n### Deprecated\n- Old import.\n### Removed\n- Support for Node 18\n### Fixed\n- Crash when `name` is empty (GH-77)\n### Security\n- CVE-2026-1234: update parser\n\n[1.4.0]: https://github.com/a/b/compare/v1.3.0...v1.4.0',
    ),
  ],
  [
    'Conventional Commits of all types',
    'tideline v0.9.0 is out',
    '<p><strong>New:</strong> drop the v1 API</p><p><strong>Improved:</strong> 3x faster boot</p><p><strong>Fixed:</strong> UI, core: buttons align 🐛</p>',
    github(
      'v0.9.0',
      'v0.9.0',
      '* feat!: drop the v1 API (#12)\n* fix(ui,core): buttons align :bug:\n* perf: 3x faster boot\n* docs: readme\n* test: more tests\n* ci(actions): cache\n* style: format\n* refactor(core): split\n* chore: release\n* revert: "feat: y"\n* build: esbuild\n* wip: something\n* Merge pull request #5 from acme/fix\n* Merge branch \'main\' into dev',
    ),
  ],
  [
    'notes of semantic-release',
    'tideline v3.0.0-rc.1 is out',
    '<p><strong>Please note:</strong> Node 20 is required</p><p><strong>New:</strong> sign in with passkeys</p><p><strong>Fixed:</strong> a11y: focus ring visible in Safari</p>',
    github(
      'v3.0.0-rc.1',
      'v3.0.0-rc.1',
      '# [3.0.0-rc.1](https://x) (2026-11-20)\n\n### Bug Fixes\n\n* **a11y:** focus ring visible in Safari ([abc1234](https://x)), closes #1 #2\n\n### Features\n\n* sign in with passkeys\n\n\n### BREAKING CHANGES\n\n* Node 20 is required',
    ),
  ],
  [
    'notes of changesets',
    '@acme/forms 5.1.0 is out',
    '<p><strong>New:</strong> Add <code>&lt;DatePicker&gt;</code> with keyboard support (mina)</p>',
    github(
      '@acme/forms@5.1.0',
      '@acme/forms@5.1.0',
      '### Minor Changes\n\n- [#812](https://github.com/acme/ui/pull/812) [`a1b2c3d`](https://github.com/acme/ui/commit/a1b2c3d4e5f60718293a4b5c6d7e8f9012345678) Thanks [@mina](https://github.com/mina)! - Add `<DatePicker>` with keyboard support\n\n  It reads dates in **all** locales.\n\n### Patch Changes\n\n- a1b2c3d: Fix focus in `Select`\n- Updated dependencies [a1b2c3d]\n  - @acme/core@5.1.0',
    ),
  ],
  [
    'HTML in Markdown',
    'tideline v2.0.0 is out',
    '<h3>The big one</h3><p>Line with <kbd>Ctrl</kbd>+<kbd>K</kbd> and H<sub>2</sub>O &nbsp;&mdash; done<br>next</p>',
    github(
      'v2.0.0',
      'v2.0.0',
      '<h2 align="center">The big one</h2>\n<p align="center"><img src="https://x/y.png" width="300"></p>\n<details><summary>Click me</summary>\n\nHidden **text**\n\n</details>\n\nLine with <kbd>Ctrl</kbd>+<kbd>K</kbd> and H<sub>2</sub>O <!-- a comment --> &nbsp;&mdash; done<br/>next',
    ),
  ],
  [
    'footnotes, marks and a diff',
    'tideline v2.1.0 is out',
    '<p>Faster search and <strong>fewer</strong> bugs.</p><blockquote><p>Back up first.</p></blockquote><p><del>struck</del> marked</p>',
    github(
      'v2.1.0',
      'v2.1.0',
      'Faster search[^1] and **fewer** bugs.\n\n[^1]: Measured on a phone.\n\n> [!WARNING]\n> Back up first.\n\n```diff\n- old\n+ new\n```\n\n~~struck~~ ==marked==',
    ),
  ],
  [
    'mentions and commit hashes only',
    'tideline v2.2.0 is out',
    '<p>Maintenance release.</p>',
    github(
      'v2.2.0',
      'v2.2.0',
      'Thanks @mina and @joris-v for #12, acme/web#34, GH-56 and a1b2c3d4e5f60718293a4b5c6d7e8f9012345678. See https://github.com/acme/web/pull/12 and @acme/core-team.\n\ncc @ops',
    ),
  ],
  [
    'notes of git-cliff',
    'tideline 0.4.0 is out',
    '<h3>New</h3><ul><li>Parser: Support for footnotes</li><li>Remove old flags</li></ul><p><strong>Fixed:</strong> Empty input no longer panics</p>',
    github(
      '0.4.0',
      '0.4.0',
      '## 🚀 Features\n\n- *(parser)* Support for footnotes - ([1a2b3c4](https://x))\n- [**breaking**] Remove old flags\n\n## 🐛 Bug Fixes\n\n- Empty input no longer panics\n\n## 📚 Documentation\n\n- Typos\n\n## ⚙️ Miscellaneous Tasks\n\n- Bump version\n\n<!-- generated by git-cliff -->',
    ),
  ],
  [
    'notes of GoReleaser',
    'tideline v1.9.0 is out',
    '<p><strong>New:</strong> add --json flag</p><p><strong>Fixed:</strong> exit code</p>',
    github(
      'v1.9.0',
      'v1.9.0',
      '## Changelog\n* 1a2b3c4d feat: add --json flag\n* 5e6f7a8b fix: exit code\n* 9c0d1e2f chore: tidy\n\n## Docker images\n- `docker pull ghcr.io/acme/cli:v1.9.0`\n\nsha256:a1b2c3d4e5f60718293a4b5c6d7e8f9012345678a1b2c3d4e5f60718293a4b5c',
    ),
  ],
  [
    'German notes',
    'tideline 7.2 ist da',
    '<p><strong>Neu:</strong> Karten lassen sich teilen</p><p><strong>Behoben:</strong> Absturz beim Start</p><p><strong>Sonstiges:</strong> Danke an @jana</p>',
    github(
      'Version 7.2',
      'v7.2',
      '## Neu\n- Karten lassen sich teilen\n## Behoben\n- Absturz beim Start (#99)\n## Sonstiges\n- Danke an @jana',
    ),
    'de',
  ],
  [
    'Japanese notes',
    'tideline v5.0.0 を公開しました',
    '<p><strong>新機能:</strong> オフライン検索</p><p><strong>修正:</strong> クラッシュを修正しました</p>',
    github(
      'v5.0.0',
      'v5.0.0',
      '## 新機能\n- オフライン検索 (#12)\n\n## 修正\n- クラッシュを修正しました',
    ),
    'ja',
  ],
  [
    'empty points',
    'tideline v1.0.1 est disponible',
    '<p>Version de maintenance.</p>',
    github('v1.0.1', 'v1.0.1', '*\n-\n## \n### Fixes\n- \n'),
    'fr',
  ],
  [
    'a title of 110 characters',
    'The release in which we rewrote absolutely everything from the ground up and…',
    '<p>tideline v9.0.0</p><p>Done.</p>',
    github(
      'The release in which we rewrote absolutely everything from the ground up and then tested it on every device',
      'v9.0.0',
      'Done.',
    ),
  ],
  [
    'a version that is a date',
    'tideline 2026.11.0 är här',
    '<p>New map</p>',
    github('2026.11.0', '2026.11.0', '- New map'),
    'sv',
  ],
  [
    'the tag of a package',
    'cli v3.2.1 is uit',
    '<p><strong>Opgelost:</strong> windows paths</p>',
    github('packages/cli/v3.2.1', 'packages/cli/v3.2.1', '- fix: windows paths'),
    'nl',
  ],
  [
    'a changelog of GitLab with quick actions',
    'Barometer 3.3 is out',
    '<h3>New</h3><ul><li>Share a chart</li><li>Export 🚀</li></ul><p>hello</p>',
    [
      'gitlab',
      'release.create',
      {
        name: 'Barometer 3.3',
        tag: 'v3.3',
        description:
          '### Added (3 changes)\n\n- [Share a chart](acme/web@abcdef12) ([merge request](acme/web!77))\n- Export :rocket: %"15.0" ~"needs review"\n/assign @bob\n/due tomorrow\n/label ~"needs review"\n\n![shot](/uploads/abc/shot.png)\n\n[[_TOC_]]\n\n::: note\nhello\n:::',
      },
    ],
  ],
  [
    'points in Markdown of GitLab',
    'Barometer v9 ist da',
    '<ul><li>Schneller ⚡</li><li>Sicherer</li></ul>',
    [
      'gitlab',
      'release.create',
      { name: 'v9', tag: 'v9', description: '- Schneller :zap:\n- Sicherer' },
    ],
    'de',
  ],
  [
    'labels before points',
    'lanternfish v2.2.2 is out',
    '<p><strong>New:</strong> Dashboard</p><h3>Fixed</h3><ul><li>Login (anna)</li><li>Typo</li></ul>',
    [
      'gitea',
      'release.published',
      {
        'release.name': '',
        'release.tag_name': 'v2.2.2',
        'release.body':
          '* [FEATURE] Add dashboard (#101)\n* [BUGFIX] Fix login (#102) (@anna)\n* FIX #33 typo\n\nChecksums:\n```\na1b2c3d4e5f60718293a4b5c6d7e8f9012345678  app.tar.gz\n```',
      },
    ],
  ],
  [
    'wiki markup of Jira',
    'Moorlog v6.1.0 is out',
    '<h3>New</h3><ol><li>One <strong>bold</strong></li><li>Two <del>struck</del> under sup</li></ol><table><thead><tr><th>Head</th><th>Col</th></tr></thead><tbody><tr><td>a</td><td>b</td></tr></tbody></table><p>Body red <a href="https://x.example">Link</a> ABC-12 ✓ :)</p>',
    [
      'jira',
      'version_released',
      {
        'version.name': 'v6.1.0',
        'version.description':
          'h3. Highlights\n# One *bold*\n# Two -struck- +under+ ^sup^\n||Head||Col||\n|a|b|\n\n{panel:title=Note}Body{panel} {color:red}red{color} [Link|https://x.example] [~accountid:5b10] !img.png|thumbnail! ABC-12 (/) :)',
      },
    ],
  ],
  [
    'an issue with label, estimate, number and type',
    'Login: SSO for admin users 🔒',
    '<p>Done in Moorlog.</p>',
    [
      'jira',
      'issue_updated.resolved',
      {
        'issue.fields.summary':
          '[Spike] (3pt) ABC-12: feat(login): **SSO** for `admin` users @here :lock:',
      },
    ],
  ],
  [
    'an issue with a type and a number',
    'Fix NPE in CheckoutServiceImpl.java',
    '<p>Done in Moorlog.</p>',
    [
      'jira',
      'issue_updated.resolved',
      { 'issue.fields.summary': 'BUG - Fix NPE in CheckoutServiceImpl.java #4412' },
    ],
  ],
  [
    'a heading in another language',
    'tideline v2.3.0 já está disponível',
    '<p><strong>Correções:</strong> corrige erro</p>',
    github('v2.3.0', 'v2.3.0', '### Bug Fixes\n* corrige erro'),
    'pt',
  ],
  [
    'lines with CR and LF',
    'tideline v2.3.1 is out',
    '<h3>New</h3><ul><li>One</li><li>Two</li></ul><p><strong>Known issues:</strong> Slow on iOS 12</p>',
    github(
      'v2.3.1',
      'v2.3.1',
      "### What's new\r\n\r\n- One\r\n- Two\r\n\r\n### Known issues\r\n\r\n- Slow on iOS 12\r\n\r\n### Contributors\r\n@a, @b and @c\r\n\r\n### Assets\r\n- app.zip",
    ),
  ],
  [
    'notes with sponsors',
    'tideline v2.3.2 is out',
    '<h3>Upgrade notes</h3><p>Run <code>npm i</code>.</p>',
    github(
      'v2.3.2',
      'v2.3.2',
      '## Upgrade notes\nRun `npm i`.\n\n## 🎉 New Contributors\n* @x made their first contribution in https://github.com/a/b/pull/1\n\n## Sponsors\n<a href="https://x"><img src="https://y"></a>',
    ),
  ],
  [
    'names that are written like ticket numbers',
    'tideline v2.4.0 is out',
    '<p>The assistant now runs on GPT-5.</p><ul><li>Backups are encrypted with AES-256</li><li>Files are read as UTF-8</li><li>Add support for RFC-7231</li><li>Works with the <a href="https://iso.example/">ISO-27001</a></li><li>Certified (SOC-2)</li><li>Runs on Windows-11</li><li>Share a map</li></ul>',
    github(
      'v2.4.0',
      'v2.4.0',
      'The assistant now runs on GPT-5.\n\n- Backups are encrypted with AES-256\n- Files are read as UTF-8\n- Add support for RFC-7231\n- Works with the [ISO-27001](https://iso.example/)\n- Certified (SOC-2)\n- Runs on Windows-11\n- Share a map (MOOR-99), closes MOOR-12 and #4',
    ),
  ],
  [
    'a German point that ends with the name of a standard',
    'Barometer v9 ist da',
    '<ul><li>Unterstützung für ISO-27001</li><li>Läuft auf APOLLO-11</li></ul>',
    [
      'gitlab',
      'release.create',
      {
        name: 'v9',
        tag: 'v9',
        description: '- Unterstützung für ISO-27001\n- Läuft auf APOLLO-11',
      },
    ],
    'de',
  ],
  [
    'changes that people made to numbers beside those that bots made to packages',
    'tideline v2.4.1 is out',
    '<h3>Improved</h3><ul><li>Update the upload limit to 50 MB (Ines A.)</li><li>Upgrade all plans to 10 seats (Ines A.)</li><li>Update session timeout to 30 minutes (Ines A.)</li><li>Update the weekly digest (Ines A.)</li></ul>',
    github(
      'v2.4.1',
      'v2.4.1',
      [
        'Update the upload limit to 50 MB',
        'Upgrade all plans to 10 seats',
        'Update session timeout to 30 minutes',
        'Update the weekly digest',
        'Bump vite from 5 to 6',
        'Bump a from 1.0 to 1.1 and b from 2.0.1 to 2.0.2 in /web',
        'Update Node.js to v20 [security]',
        'Update postgres Docker tag to v16.2',
        'Update node:20 Docker digest to a1b2c3d',
        'Bump the npm group across 1 directory with 3 updates',
      ]
        .map((line) => `* ${line} by @ines-a in https://github.com/acme/web/pull/3`)
        .join('\n'),
    ),
  ],
  [
    'an issue whose first word is written like a ticket number',
    'ISO-27001: certification of the data center',
    '<p>Done in Moorlog.</p>',
    [
      'jira',
      'issue_updated.resolved',
      { 'issue.fields.summary': 'ISO-27001: certification of the data center' },
    ],
  ],
  [
    'a message whose first word is written like a ticket number',
    'GPT-5: now available to all teams',
    '<p>GPT-5: now available to all teams</p>',
    slack('GPT-5: now available to all teams'),
  ],
  [
    'a German name that says that the version is out',
    'tideline v2.4.0 ist da',
    '<p>Alles neu.</p>',
    github('tideline v2.4.0 ist da', 'v2.4.0', 'Alles neu.'),
    'de',
  ],
  [
    'a French name without a verb',
    'tideline 2.4.0 est disponible',
    '<p>Tout est nouveau.</p>',
    github('Version 2.4.0 disponible', 'v2.4.0', 'Tout est nouveau.'),
    'fr',
  ],
  [
    'accounts behind and before the number of a change',
    'tideline v2.5.0 is out',
    '<ul><li>Offline search (Ines A.)</li><li>Faster start (mina)</li><li>Dark mode (bob)</li><li>Search (bob, mina)</li><li>Import of vCards (mina)</li></ul><p><strong>New:</strong> Tabs (bob)</p>',
    github(
      'v2.5.0',
      'v2.5.0',
      '## What’s Changed\n\n* Offline search (#12) @ines-a\n* Faster start @mina (#13)\n* Dark mode by @bob\n* Tabs by [@bob](https://github.com/bob) in [#15](https://github.com/a/b/pull/15)\n* Search (#16) by @bob and @mina\n* Import of vCards, thanks @mina!\n* Bump vite from 5 to 6 (#14) @dependabot\n* Speed up the build @renovate[bot] (#17)',
    ),
  ],
  [
    'several authors of a change',
    'tideline v2.5.2 is out',
    '<ul><li>Dark mode (bob, mina)</li><li>Faster start (bob, mina, Ines A.)</li><li>Faster search (bob)</li><li>Add search by @name and @date</li></ul><p><strong>New:</strong> Tabs (bob, mina)</p>',
    github(
      'v2.5.2',
      'v2.5.2',
      '- Dark mode by @bob and @mina (#12)\n- Faster start by @bob, @mina, and @ines-a (#13)\n- Faster search by @bob & @renovate[bot] (#14)\n- Add search by @name and @date (#15)\n- Tabs by [@bob](https://github.com/bob) and [@mina](https://github.com/mina) in #16',
    ),
  ],
  [
    'headings in German',
    'tideline v2.8.0 ist da',
    '<h3>Neu</h3><ul><li>Dunkles Design</li><li>Suche ohne Netz</li></ul><p><strong>Die neue Suche:</strong> Schnell</p><p><strong>Verbessert:</strong> Start</p><p><strong>Behoben:</strong> Absturz</p><p><strong>Bekannte Fehler:</strong> Langsam auf iOS</p>',
    github(
      'v2.8.0',
      'v2.8.0',
      '## Änderungen\n### Neue Funktionen\n- Dunkles Design\n### Die neue Suche\n- Schnell\n### Verbesserungen\n- Start\n### Fehlerbehebungen\n- Absturz\n### Hinzugefügt\n- Suche ohne Netz\n### Bekannte Fehler\n- Langsam auf iOS\n### Abhängigkeiten\n- lodash 5\n### Neue Mitwirkende\n- @mina',
    ),
    'de',
  ],
  [
    'headings in French',
    'tideline v2.8.1 est disponible',
    '<p><strong>Nouveautés:</strong> Mode sombre</p><p><strong>Améliorations:</strong> Démarrage</p><p><strong>Corrections:</strong> Plantage</p>',
    github(
      'v2.8.1',
      'v2.8.1',
      '### Corrections de bugs\n- Plantage\n### Améliorations\n- Démarrage\n### Nouvelles fonctionnalités\n- Mode sombre\n### Dépendances\n- lodash 5',
    ),
    'fr',
  ],
  [
    'lines that bots end in their account',
    'tideline v2.5.1 is out',
    '<p>Maintenance release.</p>',
    github(
      'v2.5.1',
      'v2.5.1',
      '- Bump lodash from 1 to 2 by @dependabot[bot]\n- Update eslint to v9 by @renovate[bot]\n- Update translations by @weblate\n- Update translations from @crowdin-bot (#12)',
    ),
  ],
  [
    'mentions in sentences about changes',
    'tideline v2.6.0 is out',
    '<ul><li>Sort by @name and @date</li><li>Files are shared with @bob</li><li>Search by @name</li><li>Credits: thanks to @bob and @mina</li><li>Block pings with @everyone</li><li>Reported by: @mina</li></ul>',
    github(
      'v2.6.0',
      'v2.6.0',
      '* Sort by @name and @date (#3)\n* Files are shared with @bob (#12)\n* Search by @name\n* Credits: thanks to @bob and @mina\n* Block pings with @everyone (#88)\n* Reported by: @mina (#90)',
    ),
  ],
  [
    'a mention before the author of a change',
    'tideline v2.7.0 is out',
    '<p><strong>New:</strong> Search by @name (mina)</p>',
    github('v2.7.0', 'v2.7.0', '* Search by @name by @mina in #4'),
  ],
  [
    'more than eight points',
    'tideline v6.0.0 est disponible',
    '<h3>Nouveautés</h3><ul><li>Point 1 (dev0)</li><li>Point 2 (dev1)</li><li>Point 3 (dev2)</li><li>Point 4 (dev3)</li><li>Point 5 (dev4)</li><li>Point 6 (dev5)</li><li>Point 7 (dev6)</li><li>Point 8 (dev7)</li></ul><p>et 4 de plus</p>',
    github(
      'v6.0.0',
      'v6.0.0',
      '### Features\n* point 1 by @dev0 in https://github.com/a/b/pull/0\n* point 2 by @dev1 in https://github.com/a/b/pull/1\n* point 3 by @dev2 in https://github.com/a/b/pull/2\n* point 4 by @dev3 in https://github.com/a/b/pull/3\n* point 5 by @dev4 in https://github.com/a/b/pull/4\n* point 6 by @dev5 in https://github.com/a/b/pull/5\n* point 7 by @dev6 in https://github.com/a/b/pull/6\n* point 8 by @dev7 in https://github.com/a/b/pull/7\n* point 9 by @dev8 in https://github.com/a/b/pull/8\n* point 10 by @dev9 in https://github.com/a/b/pull/9\n* point 11 by @dev10 in https://github.com/a/b/pull/10\n* point 12 by @dev11 in https://github.com/a/b/pull/11',
    ),
    'fr',
  ],
]

test.each(casesOf(rows))('an editor can print what becomes of $about: $title', async (row) => {
  expect(await textOf(row.event, row.language)).toEqual({ title: row.title, body: row.body })
})
