import { describe, expect, test } from 'bun:test'
import {
  type Case,
  discord,
  github,
  itemOf,
  mattermost,
  slack,
  teams,
} from '../../support/editorial.ts'

type Row = [title: string, body: string, event: Case]
const once = (title: string) => `<p>${title}</p>`
const shipped = 'We shipped *version 2* :tada: with <@U0TOMAS> and <!subteam^S1|@web-team>'

const chats: Row[] = [
  [
    'We shipped version 2 🎉 with Tomás Weld and web-team',
    '<p>We shipped <strong>version 2</strong> 🎉 with Tomás Weld and web-team</p>',
    slack(shipped),
  ],
  [
    'We shipped version 2 🎉 with Tomás Weld and web-team',
    '<p>Second line</p><ul><li>one</li><li>two</li></ul>',
    slack(`${shipped}\nSecond line\n• one\n• two`),
  ],
  [
    'Kudos to Tomás Weld for staying up all night',
    once('Kudos to Tomás Weld for staying up all night'),
    slack('<@U0TOMAS> for staying up all night', '/kudos'),
  ],
  [
    'I would like to thank Tomás Weld for the launch',
    once('I would like to thank Tomás Weld for the launch'),
    slack('I would like to thank <@U0TOMAS> for the launch', '/kudos'),
  ],
  ['Done in #launches', once('Done in #launches'), slack('<!channel> done in <#C1|launches>')],
  [
    'We shipped v2 on 14 November 2023',
    '<p>We shipped <strong>v2</strong> on 14 November 2023</p>',
    discord('We shipped **v2** <:party:1> <t:1700000000> @everyone'),
  ],
  [
    'We shipped v2 🎉 thanks @bob.m',
    '<ul><li>a</li><li>b</li></ul>',
    mattermost('win We **shipped** v2 :tada: thanks @bob.m\n\n- a\n- b'),
  ],
  [
    'Kudos to Bob for the launch',
    once('Kudos to Bob for the launch'),
    teams('kudos <at>Bob</at> for the launch'),
  ],
  [
    'The new lab is open',
    '<ul><li>Two <strong>cranes</strong></li><li><a href="https://lab.example/map">the map</a></li></ul>',
    teams(
      'news <p>The new lab is open</p><ul><li>Two <b>cranes</b></li><li><a href="https://lab.example/map">the map</a></li></ul>',
    ),
  ],
  [
    'Deploy of web finished 🚀',
    '<p><a href="https://ci.example/1">build 1</a></p><p>Env: prod</p>',
    [
      'slack-incoming',
      'attachments',
      {
        text: 'Deploy of *web* finished :rocket:\n<https://ci.example/1|build 1>',
        attachments: [{ fields: [{ title: 'Env', value: 'prod' }] }],
      },
    ],
  ],
]

const releases: Row[] = [
  ['tideline v3.2.0 is out', once('Maintenance release.'), github('', 'v3.2.0', '')],
  ['tideline v3.0.0 is out', once('Faster.'), github('Release v3.0.0', 'v3.0.0', 'Faster.')],
  [
    'tideline 3.1 “Offline mode” is out',
    once('You can now read without a network. 🎉'),
    github('3.1 "Offline mode"', 'v3.1.0', 'You can now read without a network. :tada:'),
  ],
  [
    'Offline mode is here',
    '<p>tideline v3.1.0</p><p>Faster.</p>',
    github('Offline mode is here', 'v3.1.0', 'Faster.'),
  ],
  [
    '@acme/ui 4.2.0 is out',
    once('Maintenance release.'),
    github(
      '@acme/ui@4.2.0',
      '@acme/ui@4.2.0',
      '### Patch Changes\n\n- Updated dependencies [1a2b3c4]\n  - @acme/core@4.2.0',
    ),
  ],
  [
    'Barometer v1.1 is out',
    once('Maintenance release. 🚀'),
    [
      'gitlab',
      'release.create',
      { name: 'v1.1', tag: 'v1.1', description: 'See !123 and #45. /label ~bug :rocket:' },
    ],
  ],
]

const trackers: Row[] = [
  [
    'Milestone “Q4” reached',
    once('12 done in tideline.'),
    [
      'github',
      'milestone.closed',
      {
        'milestone.title': 'Q4',
        'milestone.description': null,
        'milestone.closed_issues': 12,
        'milestone.open_issues': 0,
      },
    ],
  ],
  [
    'Moorlog 1.0 is out',
    once('Maintenance release.'),
    ['jira', 'version_released', { 'version.name': '1.0', 'version.description': '' }],
  ],
  [
    'Add offline cache',
    once('Done in Moorlog.'),
    ['jira', 'issue_updated.resolved', { 'issue.fields.summary': '[BE] Add offline cache' }],
  ],
  [
    'New website: on track',
    '<p>Three harbours are live. 👋</p>',
    [
      'linear',
      'project_update.create',
      {
        'data.project.name': 'New website',
        'data.health': 'onTrack',
        'data.body': '+++\n\nThree harbours are live. :wave:\n\n+++',
      },
    ],
  ],
  [
    'New website is done',
    once('One timetable for every harbour'),
    ['linear', 'project.completed', { 'data.name': 'New website' }],
  ],
]

const people: Row[] = [
  [
    'Hank Hire joins as Senior Developer',
    once('Hank starts in Sea Charts in Porto and Bergen on Monday, 1 February 2027.'),
    [
      'greenhouse',
      'hire_candidate',
      {
        'payload.application.candidate.first_name': 'Hank',
        'payload.application.candidate.last_name': 'Hire',
        'payload.application.jobs.0.name': 'Senior Developer (R-1234) - Remote EMEA',
      },
    ],
  ],
]

const withoutLines = (html: string) => html.replace(/>\s+</g, '><')

describe.each([
  ['messages of chats', chats],
  ['releases', releases],
  ['trackers', trackers],
  ['new colleagues', people],
])('the examples of the editorial rules: %s', (_, rows) => {
  test.each(rows)('%s', async (title, body, event) => {
    const item = await itemOf(event)
    expect([item.title, withoutLines(item.body)]).toEqual([title, body])
  })
})
