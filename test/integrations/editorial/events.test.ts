import { expect, test } from 'bun:test'
import {
  type Case,
  discord,
  github,
  itemOf,
  mattermost,
  slack,
  teams,
} from '../../support/editorial.ts'

// Events in other words than those that people write most often, with the exact words that readers get.

type Row = [about: string, title: string, body: string, event: Case]

const jira = (summary: string): Case => [
  'jira',
  'issue_updated.resolved',
  { 'issue.fields.summary': summary },
]
const gitlab = (name: string, tag: string, description: string): Case => [
  'gitlab',
  'release.create',
  { name, tag, description },
]
const devOps = (title: string): Case => [
  'azure-devops',
  'workitem.closed',
  {
    'resource.revision.fields': {
      'System.TeamProject': 'Tideline',
      'System.WorkItemType': 'Epic',
      'System.State': 'Closed',
      'System.Title': title,
    },
  },
]
const incoming = (text: string): Case => ['slack-incoming', 'text', { text }]

const rows: Row[] = [
  [
    'emoji of gitmoji without bullets',
    'tideline v5.0.0 is out',
    '<p><strong>Please note:</strong> Drop Node 18</p><p><strong>New:</strong> Dark mode</p><p><strong>Fixed:</strong> Crash on empty list</p>',
    github(
      'v5.0.0',
      'v5.0.0',
      ':sparkles: Add dark mode\n:bug: Fix crash on empty list (#12)\n:memo: Update README\n:arrow_up: Bump vite to 6\n:recycle: Refactor store\n:boom: Drop Node 18\n',
    ),
  ],
  [
    'emoji that people choose freely',
    'tideline v5.1.0 is out',
    '<ul><li>🎉 We reached a million routes</li><li>🔥 A theme for hot days</li></ul>',
    github('v5.1.0', 'v5.1.0', '🎉 We reached a million routes\n🔥 A theme for hot days'),
  ],
  [
    'kinds of changes without bullets',
    'Barometer v3.3 is out',
    '<p><strong>New:</strong> customers can pause a subscription</p><p><strong>Fixed:</strong> invoices show the right VAT</p>',
    gitlab(
      'v3.3',
      'v3.3',
      'New: customers can pause a subscription.\nFix: invoices show the right VAT.\nChore: linting.',
    ),
  ],
  [
    'headings and lists in HTML',
    'tideline v6.1.0 is out',
    '<h3>New</h3><p>Search finds <strong>PDFs</strong> now.</p><h3>Fixed</h3><ul><li>Login on Safari</li><li>Dates in Japanese</li></ul>',
    github(
      'v6.1.0',
      'v6.1.0',
      '<h2>Highlights</h2>\n<p>Search finds <b>PDFs</b> now.</p>\n<h2>Bug fixes</h2>\n<ul>\n  <li>Login on Safari</li>\n  <li>Dates in Japanese</li>\n</ul>\n<h2>Contributors</h2><p>@mina</p>',
    ),
  ],
  [
    'headings in HTML above lists in Markdown, and HTML in code',
    'tideline v6.2.0 is out',
    '<h3>New</h3><ul><li>Offline maps</li><li>Night colors</li></ul>',
    github(
      'v6.2.0',
      'v6.2.0',
      '<h3>What is new</h3>\n\n- Offline maps\n- Night colors\n\n```\n<h2>Not a heading</h2>\n```\n\n<h3>Internal</h3>\n\n- Moved CI to ARM\n',
    ),
  ],
  [
    'a heading that repeats the name of the release',
    'tideline v7.0.0 “Winter release ❄️” is out',
    '<p>Maps are faster.</p>',
    github('Winter release ❄️', 'v7.0.0', '# Winter release ❄️\n\nMaps are faster.'),
  ],
  [
    'a sentence that ends with an address',
    'tideline v8.0.0 is out',
    '<p><a href="https://docs.example/editor">Read the guide</a></p>',
    github(
      'v8.0.0',
      'v8.0.0',
      '[Read the guide](https://docs.example/editor) or watch https://youtu.be/abc',
    ),
  ],
  [
    'a reference and an account behind a point',
    'Sprint 41 is out',
    '<h3>New</h3><ul><li>Import from Excel (anna)</li><li>Layers</li></ul>',
    gitlab(
      'Sprint 41',
      'sprint-41',
      '## :rocket: Features\n\n- Import from Excel !1201 @anna\n- ~"group::maps" Layers (#77)\n\n/label ~done\n/close',
    ),
  ],
  [
    'a version whose name begins with the project',
    'Moorlog-Android 5.2.1-hotfix is out',
    '<h3>New</h3><ul><li><strong>Compass</strong> works upside down</li><li><a href="https://moor.example/g">Guide</a></li></ul>',
    [
      'jira',
      'version_released',
      {
        'version.name': 'Moorlog-Android 5.2.1-hotfix',
        'version.description':
          'h3. What is new\n* {*}Compass{*} works upside down\n* [Guide|https://moor.example/g]\n!screen.png|thumbnail!',
      },
    ],
  ],
  [
    'a version that is called a release',
    'Moorlog 2026-11 is out',
    '<p>Maintenance release.</p>',
    [
      'jira',
      'version_released',
      { 'version.name': '2026-11 Release', 'version.description': null },
    ],
  ],
  [
    'labels, a number and an estimate',
    'As a walker, I can download maps',
    '<p>Done in Moorlog.</p>',
    jira('[iOS][SPIKE] MOOR-41 - As a walker, I can download maps (5 SP)'),
  ],
  [
    'wiki markup in a summary',
    'Maps are faster on "old" phones',
    '<p>Done in Moorlog.</p>',
    jira('*Maps* are {color:red}faster{color} on "old" phones'),
  ],
  [
    'labels and a number at the end',
    'Pay by invoice',
    '<p>Done in Tideline.</p>',
    devOps('EPIC: Pay by invoice [Q4][P1] #4432'),
  ],
  [
    'the number of a work item at the start',
    'Boarding passes in the wallet',
    '<p>Done in Tideline.</p>',
    devOps('AB#123 Boarding passes in the wallet'),
  ],
  [
    'a short name of a release',
    'Tideline 12 is out',
    '<p>Tideline 12 is out</p>',
    ['azure-devops', 'deployment.completed', { 'resource.environment.release.name': 'Rel_12' }],
  ],
  [
    'thanks that name nobody',
    'Kudos for the quiet night',
    '<p>Kudos for the quiet night</p>',
    mattermost('kudos for the quiet night'),
  ],
  [
    'bold and struck text as people write it elsewhere',
    'We shipped v2, not v1',
    '<p>We shipped <strong>v2</strong>, not <del>v1</del></p>',
    [
      'google-chat',
      'win',
      {
        'message.text': '/win We shipped **v2**, not ~~v1~~',
        'message.formattedText': '/win We shipped **v2**, not ~~v1~~',
      },
    ],
  ],
  [
    'a milestone that says it is one',
    'Milestone “Beta” reached',
    '<p>Reached in Harbour website.</p><p>Every harbour has one <strong>now</strong>.</p>',
    ['asana', 'task.milestone.labelled', {}],
  ],
  [
    'a task list and an emoji of Confluence',
    'Before the regatta',
    '<ul class="inline-task-list"><li>✓ Paint</li><li>☐ Sand</li></ul><p>Nearly there 🙂</p>',
    ['confluence', 'blog_created.tasks', {}],
  ],
  [
    'the number of a build',
    'Tideline 42 is out',
    '<p>Tideline 42 is out</p>',
    [
      'azure-devops',
      'deployment.completed',
      { 'resource.environment.release.name': 'web-prod-20261119.3' },
    ],
  ],
  [
    'a link in Markdown in the title of a work item',
    'Search the handbook offline',
    '<p>Done in Tideline.</p>',
    devOps('Search the [handbook](https://wiki.example/handbook) offline'),
  ],
  [
    'the number of a deployment',
    '✅ Deploy of checkout-service to production succeeded in 4m 12s',
    '<p><a href="https://ci.example/4521">View build</a></p>',
    incoming(
      ':white_check_mark: *Deploy #4521* of `checkout-service` to *production* succeeded in 4m 12s\n<https://ci.example/4521|View build>',
    ),
  ],
  [
    'a reference to a ticket behind a sentence',
    'Kubectl migration done: 0 downtime, 214 services → new cluster',
    '<p><code>kubectl</code> migration done: 0 downtime, 214 services → new cluster. See JIRA-1234 and <a href="https://wiki.example/x">wiki.example/x</a></p>',
    slack(
      '`kubectl` migration done: 0 downtime, 214 services → new cluster. See JIRA-1234 and https://wiki.example/x',
    ),
  ],
  [
    'a line for those who get a copy',
    'The new coffee machine is here',
    '<ol><li>Press the button</li><li>It’s free</li></ol>',
    mattermost(
      'news The new coffee machine is here\n\n1. Press the button\n2. It’s free\n\ncc @mina #general',
    ),
  ],
  [
    'thanks to two people',
    'Kudos to Lena & Omar who stayed late to fix the billing run',
    '<p>Kudos to Lena &amp; Omar who stayed late to fix the <em>billing</em> run</p>',
    teams('kudos <at>Lena</at> &amp; <at>Omar</at> who stayed late to fix the <i>billing</i> run'),
  ],
  [
    'lines below a list in Discord',
    'Mobile 4.0 ist live 🎉',
    '<ul><li>Offline-Modus</li><li>Karten</li></ul><p>Kleiner Hinweis<br>Ab morgen in den Stores</p>',
    discord(
      '**Mobile 4.0** ist live 🎉\n- Offline-Modus\n- ||Karten||\n-# Kleiner Hinweis\nAb morgen in den Stores',
    ),
  ],
  [
    'a word that begins with a full stop',
    'All services run on .NET 9, and imports read .ics files',
    '<p>Done in Moorlog.</p>',
    jira('All services run on .NET 9 , and imports read .ics files'),
  ],
  [
    'a change with a word that begins with a full stop',
    'tideline v8.1.0 is out',
    '<p><strong>New:</strong> Support for importing .ics files (octocat)</p>',
    github(
      'v8.1.0',
      'v8.1.0',
      "## What's Changed\n* Support for importing .ics files by @octocat in https://github.com/acme/web/pull/101",
    ),
  ],
  [
    'the number of an issue of a magazine',
    'Issue #42',
    '<p>What a week it was.</p>',
    incoming('Issue #42\nWhat a week it was.'),
  ],
  [
    'a run with only its number',
    'Build #412',
    '<p>It took two minutes.</p>',
    incoming('Build #412\nIt took two minutes.'),
  ],
]

test.each(rows.map(([about, title, body, event]) => ({ about, title, body, event })))(
  'an editor can print the event with $about: $title',
  async ({ title, body, event }) => {
    const item = await itemOf(event)
    expect({ title: item.title, body: item.body.replaceAll('\n', '') }).toEqual({ title, body })
  },
)
