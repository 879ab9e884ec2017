import { expect, test } from 'bun:test'
import {
  type Case,
  casesOf,
  discord,
  mattermost,
  type Row,
  slack,
  teams,
  textOf,
} from '../../support/editorial.ts'

// Messages with unusual markup, with the exact words that readers get.

const richSection = (text: string) => ({
  type: 'rich_text_section',
  elements: [{ type: 'text', text }],
})
const richList = (style: string, level: object, ...points: string[]) => ({
  type: 'rich_text_list',
  style,
  ...level,
  elements: points.map(richSection),
})
const incoming = (...elements: object[]): Case => [
  'slack-incoming',
  'blocks',
  { text: '', blocks: [{ type: 'rich_text', elements }] },
]

const rows: Row[] = [
  [
    'an update with folded parts',
    '🚀 Q4: Checkout v2: en riesgo',
    '<h3>Weekly update</h3><p><strong>TL;DR</strong> we are ✅ on time.</p><ul><li>✓ Ship ENG-123</li><li>☐ Beta <a href="https://linear.app/a/issue/ENG-124">ENG-124</a></li></ul><blockquote><p>quote @mina</p></blockquote><p><strong>More</strong></p><p>hidden</p>',
    [
      'linear',
      'project_update.create',
      {
        'data.project.name': '🚀 Q4: Checkout v2',
        'data.body':
          '# Weekly update\n\n**TL;DR** we are :white_check_mark: on time.\n\n- [x] Ship ENG-123\n- [ ] Beta [ENG-124](https://linear.app/a/issue/ENG-124)\n\n> quote @mina\n\n+++ More\n\nhidden\n\n+++',
        'data.health': 'atRisk',
      },
    ],
    'es',
  ],
  [
    'a project with labels',
    'ENG: New onboarding (Q4): completato',
    '<p>Everyone gets a <strong>buddy</strong>. See <a href="https://linear.app/x">linear.app/x</a></p>',
    [
      'linear',
      'project.completed',
      {
        'data.name': 'ENG: New onboarding (Q4) [P1]',
        'data.description': 'Everyone gets a **buddy**. See https://linear.app/x',
      },
    ],
    'it',
  ],
  [
    'a table, nested lists and addresses',
    'Weekly numbers',
    '<pre><code>A | B1 | 2</code></pre><ul><li><strong>one</strong><ul><li>two</li></ul></li></ul><ol><li>three</li><li>four</li></ol><blockquote><p>quote</p></blockquote><p><em>it</em> <del>no</del> <code>code</code> a@b.co <a href="https://x.example">x.example</a></p>',
    slack(
      'Weekly numbers:\n```\nA | B\n1 | 2\n```\n• *one*\n    ◦ two\n1. three\n2. four\n>quote\n_it_ ~no~ `code` <mailto:a@b.co|a@b.co> <https://x.example|https://x.example>',
      '/news',
    ),
  ],
  ['emoji only', '🎉🎉🎉', '<p>🎉🎉🎉</p>', slack(':tada::tada::tada:', '/win')],
  [
    'French thanks',
    'Bravo à toute l’équipe support 🙏',
    '<p>Bravo à toute l’équipe support 🙏</p>',
    slack('à toute l’équipe support :pray:', '/kudos'),
    'fr',
  ],
  [
    'an address before the words',
    'We launched!',
    '<p><a href="https://acme.example/launch">acme.example/launch</a> we launched!</p>',
    slack('https://acme.example/launch we launched!', '/win'),
  ],
  [
    'hashtags, task lists and images',
    '#release #town-square v2 is out',
    '<p><a href="https://d.example">docs</a></p><hr><ul><li>☐ todo</li><li>✓ done</li></ul><p>$$E=mc^2$$</p>',
    mattermost(
      'win #release ~town-square **v2** is ![img](https://x/y.png) out :custom_emoji: [docs](https://d.example) @all\n\n---\n\n* [ ] todo\n* [x] done\n\n$$E=mc^2$$',
    ),
  ],
  [
    'nested marks',
    'Big news really x',
    '<p><a href="https://x.example">site</a></p>',
    discord('__**Big**__ *news* ***really*** `x` [site](<https://x.example>)', 'win'),
  ],
  [
    'a greeting, a table and unknown elements',
    'A · B',
    '<ul><li>A · B</li></ul><blockquote><p>Zitat</p></blockquote><p><code>ls</code>😀</p>',
    teams(
      'news <p>Hallo <span style="color:red">alle</span></p><table><tr><td>A</td><td>B</td></tr></table><blockquote><p>Zitat</p></blockquote><codeblock class="Bash"><code>ls</code></codeblock><emoji id="smile" alt="😀" title="Smile"></emoji> <attachment id="1"></attachment>',
    ),
    'de',
  ],
  [
    'a headline that begins as a greeting',
    'Hey, we won the Acme deal!',
    '<p>It took nine months.</p>',
    slack('Hey, we won the Acme deal!\nIt took nine months.'),
  ],
  [
    'a headline that greets the world',
    'Hallo Welt, wir haben jetzt eine App!',
    '<p>Download im Store.</p>',
    slack('Hallo Welt, wir haben jetzt eine App!\nDownload im Store.', '/news'),
    'de',
  ],
  [
    'a headline of a few words that begins as a greeting',
    'Hello new office!',
    '<p>We moved in today.</p>',
    mattermost('news Hello new office!\nWe moved in today.'),
  ],
  [
    'thanks that speak to a person',
    'Liebe Ada, danke für deine Hilfe!',
    '<p>Du hast das Release gerettet.</p>',
    slack('Liebe Ada, danke für deine Hilfe!\nDu hast das Release gerettet.', '/kudos'),
    'de',
  ],
  [
    'a letter to a person',
    'Liebe Ada, du hast das Release gerettet!',
    '<p>Liebe Ada, du hast das Release gerettet!</p>',
    teams('kudos <p>Liebe Ada,</p><p>du hast das Release gerettet!</p>'),
    'de',
  ],
  [
    'a welcome that begins as a greeting',
    'Hello Ines Aker, our new pilot',
    '<p>She starts Monday</p>',
    slack('Hello Ines Aker, our new pilot\nShe starts Monday', '/welcome'),
  ],
  [
    'thanks to people in the last line',
    'We finished the migration!',
    '<p>Thanks Ada and Bob</p>',
    discord('We finished the migration!\nThanks Ada and Bob'),
  ],
  [
    'thanks in the last line',
    'Die Migration ist fertig!',
    '<p>Danke Ada und Bob</p>',
    slack('Die Migration ist fertig!\nDanke Ada und Bob'),
    'de',
  ],
  [
    'words in the last line that begin as a farewell',
    'Bob saved the release',
    '<p>Best Team Ever</p>',
    slack('Bob saved the release\nBest Team Ever', '/news'),
  ],
  [
    'a greeting of everybody and the thanks of the sender',
    'Die neue Küche ist offen!',
    '<p>Kommt vorbei.</p>',
    slack(
      'Liebe Kolleginnen und Kollegen,\n\ndie neue Küche ist offen!\nKommt vorbei.\n\nDanke,\nAda Lovelace',
      '/news',
    ),
    'de',
  ],
  [
    'an emoji code after the command',
    '🎉 We won the award',
    '<p>🎉 We won the award</p>',
    mattermost('win :tada: We won the award'),
  ],
  [
    'an emoji code before the person who is thanked',
    'Kudos: 👏 @tomas.weld for the archive',
    '<p>Kudos: 👏 @tomas.weld for the archive</p>',
    mattermost('kudos : :clap: @tomas.weld for the archive'),
  ],
  [
    'French congratulations',
    'Félicitations à Bob pour ses 10 ans',
    '<p>Félicitations à Bob pour ses 10 ans</p>',
    slack('Félicitations à Bob pour ses 10 ans', '/kudos'),
    'fr',
  ],
  [
    'German thanks',
    'Vielen Dank an Bob',
    '<p>Vielen Dank an Bob</p>',
    slack('Vielen Dank an Bob', '/kudos'),
    'de',
  ],
  [
    'a picture in the text of Teams',
    'New stage',
    '<p>Look 🎉</p>',
    teams(
      'news <p>New stage</p><p><img alt="image" src="https://graph.microsoft.com/x"></p><p>Look <img alt="🎉" itemtype="http://schema.skype.com/Emoji"></p>',
    ),
  ],
  [
    'an emoji code before a line among several',
    '🚨 Offices close at noon',
    '<p>Details</p>',
    mattermost('news :rotating_light: Offices close at noon\nDetails'),
  ],
  ['an emoji code typed in Discord', '🎉 We won', '<p>🎉 We won</p>', discord(':tada: We won')],
  [
    'a first place',
    '1. Platz beim Hackathon!',
    '<p>1. Platz beim Hackathon!</p>',
    slack('1. Platz beim Hackathon!'),
    'de',
  ],
  [
    'a first place in Markdown',
    '1. Platz beim Hackathon!',
    '<p>1. Platz beim Hackathon!</p>',
    mattermost('win 1. Platz beim Hackathon!'),
    'de',
  ],
  [
    'a date',
    '24. Dezember: Büro geschlossen',
    '<p>Ab dem<br>7. Januar sind wir zurück.</p><pre><code>1. Test</code></pre>',
    discord(
      '24. Dezember: Büro geschlossen\nAb dem\n7. Januar sind wir zurück.\n```\n1. Test\n```',
    ),
    'de',
  ],
  [
    'a quarter',
    '2. Quartal: Umsatz +12 %',
    '<blockquote><p>10. Geburtstag</p></blockquote><ol><li>Feiern</li><li>Weitermachen</li></ol>',
    teams(
      'win <p>2. Quartal: Umsatz +12 %</p><blockquote>10. Geburtstag</blockquote><p>1. Feiern</p><p>2. Weitermachen</p>',
    ),
    'de',
  ],
  [
    'a floor',
    '3. Stock ist fertig renoviert',
    '<p>Kommt vorbei:</p><ol><li>Treppe</li><li>Aufzug</li></ol><p>24. Dezember zu</p>',
    slack('3. Stock ist fertig renoviert\nKommt vorbei:\n1) Treppe\n2) Aufzug\n24. Dezember zu'),
    'de',
  ],
  [
    'dates that follow each other',
    '24. Dezember: offen',
    '<p>25. Dezember: zu</p>',
    slack('24. Dezember: offen\n25. Dezember: zu'),
    'de',
  ],
  [
    'bold words with a space after them inside of the tag',
    'We shipped version 2 today',
    '<p>More, <em>quite</em> <strong><em>important</em></strong></p>',
    teams(
      'win <p>We shipped <strong>version 2 </strong>today</p><p>More,<em>&nbsp;quite</em><strong><em> important</em><br></strong><i> </i></p>',
    ),
  ],
  [
    'a bold heading with a line break inside of the tag',
    'Heading',
    '<p><strong>one<br>two</strong></p>',
    teams('news <strong><br>Heading</strong><br><strong><div>one</div><div>two</div></strong>'),
  ],
  [
    'numbered lists in lists',
    'Steps',
    '<ol start="9"><li>open<ul><li>the door</li></ul></li><li>close<ol><li>the window</li></ol></li></ol><ul><li>lock</li></ul>',
    teams(
      'news <p>Steps</p><ol start="9"><li>open<ul><li>the door</li></ul></li><li>close<ol><li>the window</li></ol></li></ol><ul><li>lock</li></ul>',
    ),
  ],
  [
    'numbered points in a numbered list',
    'Steps',
    '<ol><li>a<ol><li>x</li><li>y</li></ol></li><li>b<ol><li>z</li></ol></li></ol>',
    mattermost('win Steps\n1. a\n   1. x\n   2. y\n2. b\n   1. z'),
  ],
  [
    'numbered points in a list',
    'Steps',
    '<ul><li>top<ol><li>x</li><li>y</li></ol></li><li>more<ol><li>z</li></ol></li></ul>',
    mattermost('win Steps\n- top\n  1. x\n  2. y\n- more\n  1. z'),
  ],
  [
    'lists in lists as people write them in Slack',
    'Steps',
    '<ol><li>a<ul><li>x<ul><li>y</li></ul></li></ul></li><li>b<ol><li>z</li></ol></li></ol><p>Done</p>',
    slack('Steps\n1. a\n    ◦ x\n        ▪︎ y\n2. b\n    1. z\n\nDone'),
  ],
  [
    'numbered lists in lists as Slack writes their marks',
    'Steps',
    '<ol><li>a<ol><li>x</li><li>y<ol><li>z</li></ol></li></ol></li><li>b</li></ol>',
    slack('Steps\n1. a\n    a. x\n    b. y\n        i. z\n2. b'),
  ],
  [
    'an indented list and numbers that are aligned',
    'Steps',
    '<ol start="9"><li>a</li><li>b</li></ol>',
    slack('Steps\n     9. a\n    10. b'),
  ],
  [
    'lists in lists of the editor of Slack, which divide the outer list',
    'Steps',
    '<ol><li>a<ul><li>x</li></ul></li><li>b<ol><li>y<ol><li>z</li></ol></li></ol></li><li>c</li></ol>',
    incoming(
      richSection('Steps'),
      richList('ordered', { indent: 0 }, 'a'),
      richList('bullet', { indent: 1 }, 'x'),
      richList('ordered', { indent: 0, offset: 1 }, 'b'),
      richList('ordered', { indent: 1 }, 'y'),
      richList('ordered', { indent: 2 }, 'z'),
      richList('ordered', { indent: 0, offset: 2 }, 'c'),
    ),
  ],
  [
    'a list with the number 1 before each point',
    'Steps',
    '<ol><li>a</li><li>b</li><li>c</li></ol>',
    mattermost('win Steps\n1. a\n1. b\n1. c'),
  ],
  [
    'a list with the number 1 before each point in Slack',
    'Steps',
    '<ol><li>a</li><li>b</li><li>c</li></ol>',
    slack('Steps\n1. a\n1. b\n1. c'),
  ],
  [
    'two dates with the same day',
    'Geschlossen',
    '<p>1. Mai: ganztags<br>1. November: ganztags</p>',
    mattermost('win Geschlossen:\n1. Mai: ganztags\n1. November: ganztags'),
    'de',
  ],
  [
    'ranks of which two are first',
    'Hackathon',
    '<p>1. Platz: Ada<br>1. Platz: Bob<br>1. Platz: Dana<br>4. Platz: Carl</p>',
    mattermost('win Hackathon\n1. Platz: Ada\n1. Platz: Bob\n1. Platz: Dana\n4. Platz: Carl'),
    'de',
  ],
  [
    'ranks without a second',
    'Hackathon',
    '<p>1. Platz: Ada<br>1. Platz: Bob<br>3. Platz: Carl</p>',
    slack('Hackathon\n1. Platz: Ada\n1. Platz: Bob\n3. Platz: Carl'),
    'de',
  ],
  [
    'a list with a gap',
    'Steps',
    '<ol><li>A</li><li>B</li><li>D</li></ol>',
    mattermost('win Steps\n1. A\n2. B\n4. D'),
  ],
  [
    'dates of which two are consecutive',
    'Geschlossen',
    '<p>1. Mai: ganztags<br>2. Mai: ganztags<br>5. Mai: halbtags</p>',
    mattermost('win Geschlossen:\n1. Mai: ganztags\n2. Mai: ganztags\n5. Mai: halbtags'),
    'de',
  ],
  [
    'days of two months',
    '1. Mai',
    '<p>2. Mai<br>4. Juni</p>',
    slack('1. Mai\n2. Mai\n4. Juni'),
    'de',
  ],
  [
    'days that are each the first',
    'Frei',
    '<p>1. Januar<br>1. Mai<br>1. November</p>',
    mattermost('win Frei:\n1. Januar\n1. Mai\n1. November'),
    'de',
  ],
  [
    'days in Swedish',
    'Lediga dagar',
    '<p>1. maj: ledig<br>2. maj: öppet</p>',
    discord('Lediga dagar\n1. maj: ledig\n2. maj: öppet'),
    'sv',
  ],
  [
    'days in French',
    'Jours fériés',
    '<p>1er mai<br>8 mai</p>',
    slack('Jours fériés\n1er mai\n8 mai'),
    'fr',
  ],
  [
    'ranks that follow each other',
    'Hackathon',
    '<p>1. Platz: Ada<br>2. Platz: Bob</p>',
    slack('Hackathon\n1. Platz: Ada\n2. Platz: Bob'),
    'de',
  ],
  [
    'a list whose first point begins with a month',
    'Plan',
    '<ol><li>August launch</li><li>Hiring</li><li>May party</li></ol>',
    slack('Plan\n1. August launch\n2. Hiring\n3. May party'),
  ],
  [
    'days in a point of a list',
    'Termine',
    '<ul><li>Frei<br>1. Mai</li></ul>',
    mattermost('win Termine\n- Frei\n  1. Mai'),
    'de',
  ],
  [
    'a date in a point of a list',
    'A',
    '<ul><li>a<br>5. Mai: frei</li><li>b</li></ul>',
    teams('win - a\n  5. Mai: frei\n- b'),
    'de',
  ],
  [
    'dates below a list and in it',
    'Termine',
    '<ul><li>Büro</li></ul><p>Ab dem<br>24. Dezember zu,<br>7. Januar offen</p>',
    mattermost('win Termine\n- Büro\n\nAb dem\n24. Dezember zu,\n   7. Januar offen'),
    'de',
  ],
  [
    'numbered lists of one point',
    'Steps',
    '<ol><li>only</li></ol><p>Then</p><ol><li>a<ol><li>b</li></ol></li></ol><p>24. Dezember: zu</p>',
    teams(
      'news <p>Steps</p><ol><li>only</li></ol><p>Then</p><ol><li>a<ol><li>b</li></ol></li></ol><p>24. Dezember: zu</p>',
    ),
  ],
  ['an emoji above the words', '🎉 We won', '<p>🎉<br>We won</p>', slack(':tada:\nWe won')],
  [
    'emoji codes above several lines',
    '🎉 We won the award',
    '<p>It took nine months.</p>',
    mattermost('win :tada: :acme-parrot:\n\nWe won the award\nIt took nine months.'),
  ],
  [
    'an emoji above a list',
    '🎉 Signed, Paid',
    '<p>🎉</p><ul><li>Signed</li><li>Paid</li></ul>',
    teams('win <p>🎉</p><ul><li>Signed</li><li>Paid</li></ul>'),
  ],
  [
    'an address above the words',
    'Great article about us',
    '<p><a href="https://x.example/a">x.example/a</a></p>',
    slack('https://x.example/a\nGreat article about us'),
  ],
  [
    'a link to a site above several lines',
    'Great article about us',
    '<p><a href="http://x.example">x.example</a></p><p>Read it today.</p>',
    slack('<http://x.example|x.example>\nGreat article about us\nRead it today.'),
  ],
  [
    'an address only',
    'x.example/a',
    '<p><a href="https://x.example/a">x.example/a</a></p>',
    discord('https://x.example/a'),
  ],
  [
    'a list with asterisks in Slack',
    'Office',
    '<ul><li><strong>Lift</strong>: works</li><li>Door</li></ul><p><strong>Bold</strong> 2 * 3</p>',
    slack('# Office\n* *Lift*: works\n* Door\n*Bold* 2 * 3'),
  ],
  [
    'a footnote in Slack',
    'Preise ab 10 €*',
    '<p>* zzgl. MwSt.</p>',
    slack('Preise ab 10 €*\n* zzgl. MwSt.'),
  ],
  [
    'two footnotes in Slack',
    'Preise ab 10 €* für alle',
    '<p>* zzgl. MwSt.<br>* nur heute</p>',
    slack('Preise ab 10 €* für alle\n* zzgl. MwSt.\n* nur heute'),
  ],
  [
    'a line with an asterisk in Slack',
    'Neue Regel',
    '<p>* gilt nur für Vollzeitkräfte<br>Fragen an Ada</p>',
    slack('Neue Regel\n* gilt nur für Vollzeitkräfte\nFragen an Ada'),
  ],
  [
    'a point with an asterisk of a footnote in Slack',
    'Neue Benefits',
    '<ul><li>Kita-Zuschuss*</li><li>Jobrad</li><li>Fitness</li></ul>',
    slack('Neue Benefits\n* Kita-Zuschuss*\n* Jobrad\n* Fitness'),
  ],
  [
    'a line with an asterisk between two points in Slack',
    'Office',
    '<ul><li>a</li><li>b</li><li>c</li></ul>',
    slack('Office\n• a\n* b\n• c'),
  ],
  [
    'a line with an asterisk below a list in Slack',
    'Office',
    '<ul><li>a</li><li>b</li></ul><p>* nur Vollzeit</p>',
    slack('Office\n• a\n• b\n\n* nur Vollzeit'),
  ],
  [
    'a line with an asterisk between two dates in Slack',
    'Frei',
    '<p>1. Mai<br>* nur halbtags<br>2. Juni</p>',
    slack('Frei\n1. Mai\n* nur halbtags\n2. Juni'),
    'de',
  ],
  [
    'a rule of hyphens in Slack',
    'Alle Infos',
    '<hr><p>Bis bald</p>',
    slack('Alle Infos\n- - -\nBis bald'),
  ],
  [
    'a point of signs in Slack',
    'Office',
    '<ul><li>===</li><li>a</li></ul>',
    slack('Office\n- ===\n- a'),
  ],
  [
    'a rule in Slack',
    'New section',
    '<p>* * *</p><p>We moved</p>',
    slack('* * *\nNew section\nWe moved'),
  ],
  [
    'a list with asterisks in a list in Slack',
    'Office',
    '<ul><li>Lift<ul><li>works</li></ul></li><li>Door</li></ul>',
    slack('Office\n• Lift\n  * works\n• Door'),
  ],
  [
    'a number with a space in Slack',
    '# 1 in the rankings again',
    '<p># 1 in the rankings again</p>',
    slack('# 1 in the rankings again'),
  ],
  [
    'a number of the app store, and a name with underlines',
    '#1 in the app store',
    '<p>snake_case_name</p>',
    slack('#1 in the app store\nsnake_case_name'),
  ],
  [
    'a name with underlines at the start',
    'snake_case_name is documented',
    '<p>snake_case_name is documented</p>',
    slack('snake_case_name is documented'),
  ],
  [
    'a phone number',
    'Call us',
    '<p>+49 30 1234 or desk 12 (+49301235)</p>',
    slack('Call us\n<tel:+49301234|+49 30 1234> or <tel:+49301235|desk 12>'),
  ],
  [
    'characters as numbers in Teams',
    'We moved to Köln 🎉',
    '<p>It&#39;s near &lt;3 &amp;#0;</p>',
    teams('win <p>We moved to K&#246;ln &#x1F389;</p><p>It&#39;s near &lt;3 &#0;</p>'),
  ],
  [
    'an address inside of the first line',
    'Sign up at until Friday',
    '<p>Sign up at <a href="https://x.example/a">x.example/a</a> until Friday<br>There is cake.</p>',
    slack('Sign up at <https://x.example/a> until Friday\nThere is cake.'),
  ],
  [
    'a link inside of the first line',
    'The travel policy is new',
    '<p>The <a href="https://x.example/a">travel policy</a> is new</p><ul><li>Trains</li></ul>',
    discord('The [travel policy](https://x.example/a) is new\n- Trains'),
  ],
  [
    'a link at the end of the first line',
    'Read the policy',
    '<p>Read the <a href="https://x.example/a">policy</a><br>It is short.</p>',
    mattermost('win Read the [policy](https://x.example/a)\nIt is short.'),
  ],
  [
    'an alert with a number',
    'Resolved: DB CPU > 90% on db-1 by Ada ✅',
    '<p><strong>Resolved</strong>: DB CPU &gt; 90% on <code>db-1</code> by <a href="https://pd.example/u/1">Ada</a> ✅<br>Duration: 12m</p>',
    [
      'slack-incoming',
      'text',
      {
        text: '[#4411] *Resolved*: DB CPU > 90% on `db-1` by <https://pd.example/u/1|Ada> :white_check_mark:\nDuration: 12m',
      },
    ],
  ],
  [
    'copies to people and a room',
    'The rooms are renamed',
    '<p>From Monday.</p>',
    discord('The rooms are renamed\nFrom Monday.\ncc: @mira, Ada van der Berg und #general'),
  ],
  [
    'a last line that begins as copies',
    'The rooms are renamed',
    '<p>cc: list of rooms below is final</p>',
    discord('The rooms are renamed\ncc: list of rooms below is final'),
  ],
]

test.each([
  'Hi all 👋🏽',
  'Hi team 🙋‍♀️',
  'Hi all -',
  'Hello everyone!!',
  'Hallo liebes Team,',
  'Guten Morgen liebes Team!',
  'Liebe Mitarbeiterinnen und Mitarbeiter,',
  'Moin moin,',
  '皆さん、こんにちは。',
  'みなさん、お疲れ様です。',
  'Hi, all!',
  'Hello, everyone,',
  'Hi all 🇩🇪',
  'Hi all 1️⃣',
  'Moin, moin liebe Leute!',
  'Dear all;',
])('a greeting of everybody is no title: %s', async (greeting) => {
  expect(await textOf(slack(`${greeting}\nThe lift works again`))).toMatchObject({
    title: 'The lift works again',
  })
})

test.each([
  'cc mira',
  'cc ada.lovelace',
  'cc @mira @bob 🎉',
  'CC Ada 🙏',
  'cc Ada (she/her)',
  'CC: all',
  'cc Ada + Bob',
  '_cc: mira_',
  'cc <@U0MIRA> <@U0ADA>',
  'CC <@U0MIRA> <@U0ADA> <@U0BOB> <@U0CYD> <@U0DAN>',
])('a last line with copies is not part of a text: %s', async (copies) => {
  const { body } = await textOf(slack(`The rooms are renamed\nFrom Monday.\n${copies}`))
  expect(body).toBe('<p>From Monday.</p>')
})

test.each([
  'CC licence texts changed',
  'CC licence',
  'cc: list of rooms below is final',
  'cc is short for copy.',
])('a last line that begins as copies, but says something, stays: %s', async (line) => {
  const { body } = await textOf(discord(`The rooms are renamed\nFrom Monday.\n${line}`))
  expect(body).toBe(`<p>From Monday.<br>${line}</p>`)
})

test('a greeting with a word that only begins as one for people stays', async () => {
  const { title } = await textOf(slack('Hallo Mitarbeiterbefragung!\nSie beginnt heute'))
  expect(title).toBe('Hallo Mitarbeiterbefragung!')
})

test.each([
  'Grüße aus Lissabon 🌞',
  'Bonne journée à tous !',
  'Best regards from the Payments team',
])('a last line that greets with more words stays in the text: %s', async (line) => {
  const { body } = await textOf(slack(`We did it\nToday.\n\n${line}`))
  expect(body).toBe(`<p>Today.</p><p>${line}</p>`)
})

test('a team that is thanked in the last line stays in the text', async () => {
  const { body } = await textOf(slack('We did it\nToday.\n\nThanks Ada and Bob'))
  expect(body).toBe('<p>Today.</p><p>Thanks Ada and Bob</p>')
})

test.each([
  'Cheers, Ada',
  'Thanks, Ada',
  'Danke, Ada Lovelace',
  'Thanks, Ada and Bob',
  'Danke, Ada und Bob',
  'Thanks,\nAda and Bob',
  'LG Ada',
  'Thanks, @ada',
  'Cheers,\nMira 🍻',
  'Liebe Grüße 🎄\nEure HR',
  'Herzliche Grüße\nSepp',
  'LG Jana 🙂',
  'Thx, Jana',
  'Thanks 🙏',
  'Bonne journée,\nClaire',
  'Saludos cordiales,\nRRHH',
  '¡Un abrazo!\nLucía',
])('a sender in the last line is not part of a text: %s', async (farewell) => {
  const { body } = await textOf(slack(`We did it\nToday.\n\n${farewell}`))
  expect(body).toBe('<p>Today.</p>')
})

test.each([
  'LG TVs',
  'LG Smart TVs',
  'LG OLED TV',
  'LG Electronics',
  'LG Monitore',
  'LG UltraGear',
  'VG Wort',
])('a name that begins as a farewell in the last line stays: %s', async (name) => {
  const { body } = await textOf(slack(`New partners\nThey start today.\n\n${name}`))
  expect(body).toBe(`<p>They start today.</p><p>${name}</p>`)
})

test.each([
  ['Danke an alle für die Hilfe beim Umzug', 'LG Anna'],
  ['Frohe Weihnachten euch allen', 'VG Tim'],
  ['Glückwunsch an Ada, Ben und Cem', 'LG Das HR-Team'],
  ['Neue Telefonnummer: 030 1234', 'VG Katrin'],
  ['Infos unter https://acme.de/lauf', 'LG Eva'],
  ['Viele sagten: "das beste Fest"', 'LG Tim'],
  ['Wir sind am Freitag nicht da,', 'LG Anna'],
  ['Der Drucker im 2. OG geht wieder\nViel Spaß damit', 'LG Tom'],
  ['Sommerfest\nWir freuen uns', 'LG Anna'],
  ['Kaffeemaschine defekt\nTechniker kommt morgen', 'LG Ada'],
  ['Lunch menu\nPizza', 'LG Tim'],
  ['Kuchen steht in der Küche\nBis morgen,', 'LG Anna'],
  ['Kuchen steht in der Küche\nBitte meldet euch an,', 'LG Anna'],
  ['Der Server geht wieder.\n', 'LG IT'],
  ['Die Verträge sind da', 'VG HR'],
  ['Die Betriebsversammlung ist am Montag', 'LG BR'],
  ['Der Arbeitskreis trifft sich', 'LG AK'],
  ['Der Aufzug geht wieder', 'VG Tom McKay'],
  ['Wir suchen Helfer:', 'LG Anna'],
  ['Danke an alle, die da waren:', 'LG Anna'],
  ['Der neue Monitor ist da', 'LG Electronics Team'],
])('a sender below a line without a full stop is not part of a text: %j / %j', async (...lines) => {
  const [line = ''] = lines
  const shown = await textOf(slack(line))
  expect(await textOf(slack(lines.join('\n')))).toEqual(shown)
  expect(await textOf(slack(`Hallo zusammen,\n${lines.join('\n')}`))).toEqual(shown)
  const more = ['Neues aus Lissabon', ...lines]
  expect(await textOf(slack(more.join('\n')))).toEqual(
    await textOf(slack(more.slice(0, -1).join('\n'))),
  )
})

test.each([
  ['New partners', 'Sony cameras', 'LG Kameras'],
  ['Neue Partner', 'Ab Mai arbeiten wir mit Bose, Sony und', 'LG Kameras'],
  ['Neue Partner', 'Ab Mai sind dabei:', 'LG Kameras'],
  ['Neue Partner', 'Ab Mai sind dabei Bose, Sony,', 'LG Kameras'],
])('a name that begins as a farewell stays below other names: %s / %s', async (...lines) => {
  const [, ...body] = lines
  expect((await textOf(slack(lines.join('\n')))).body).toBe(`<p>${body.join('<br>')}</p>`)
})

test('a name that begins as a farewell stays below a first line with a colon', async () => {
  const { body } = await textOf(slack('Our new partners:\nLG Kameras'))
  expect(body).toBe('<p>LG Kameras</p>')
})

test.each([
  ['September results', 'October plans', 'AOB'],
  ['Runde: Vorrunde', 'Runde: Halbfinale', 'Finale'],
  ['Tag: Anreise', 'Tag: Wanderung', 'Abreise'],
  ['Preis', 'Preis', 'Trostpreise'],
  ['Mai-Fest', 'Juni-Fest', 'Sommerfest'],
  ['Januar-Zahlen', 'Februar-Planung', 'Sonstiges'],
  ['Mars : résultats', 'Avril', 'Questions'],
  ['Enero', 'Febrero', 'Preguntas'],
  ['August ist neu im Team', 'Mai kommt aus Köln'],
  ['March with us on Friday', 'May the best team win'],
  ['August ist neu im Team', 'Mai: aus Köln', 'Mai: aus Bonn'],
])(
  'a list whose points begin with months, rounds or days stays one list: %j',
  async (...points) => {
    const lines = points.map((point, index) => `${index + 1}. ${point}`)
    const list = `<ol>${points.map((point) => `<li>${point}</li>`).join('')}</ol>`
    for (const message of [slack, discord])
      expect((await textOf(message(['Agenda', ...lines].join('\n')))).body).toBe(list)
  },
)

test.each([
  ['1. Mai: Tag der Arbeit', '2. Juni: Sommerfest'],
  ['1. Mai (Freitag)', '2. Mai – Brückentag', '5. Mai 2027: frei'],
  ['1. Runde: Ada', '2. Runde: Bob'],
])('lines that are all dates or ranks keep their numbers: %j', async (...lines) => {
  const { body } = await textOf(slack(['Termine', ...lines].join('\n')))
  expect(body).toBe(`<p>${lines.join('<br>')}</p>`)
})

test.each(['cc @mira\nCheers, Ada', 'cc Bob\n\nBest regards\nAda', 'Cheers, Ada\ncc @mira'])(
  'copies above or below a farewell are not part of a text: %j',
  async (end) => {
    const { body } = await textOf(slack(`The rooms are renamed\nFrom Monday.\n${end}`))
    expect(body).toBe('<p>From Monday.</p>')
  },
)

test.each(casesOf(rows))('an editor can print what becomes of $about: $title', async (row) => {
  expect(await textOf(row.event, row.language)).toEqual({ title: row.title, body: row.body })
})
