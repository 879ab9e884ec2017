import { describe, expect, test } from 'bun:test'
import { releaseBody } from '../../../integrations/kit/releases/release-notes.ts'
import { releaseTitle } from '../../../integrations/kit/releases/release-title.ts'
import { growthOf, maxLinearGrowth } from '../../support/growth.ts'

const language = 'en'

describe('titles of releases', () => {
  const cases: [name: string | null, tag: string, title: string, product?: string][] = [
    ['v2.4.0', 'v2.4.0', 'tideline-web v2.4.0 is out'],
    [null, 'v3.2.0', 'tideline-web v3.2.0 is out'],
    ['Release v3.0.0', 'v3.0.0', 'tideline-web v3.0.0 is out'],
    ['v3.0.0 (2026-11-03)', 'v3.0.0', 'tideline-web v3.0.0 is out'],
    ['🎉 Version 4', 'v4.0.0', 'tideline-web 4 is out'],
    ['Tideline Web 2.5', 'v2.5.0', 'Tideline Web 2.5 is out'],
    ['tideline-web: v2.5.0', 'tideline-web-v2.5.0', 'tideline-web v2.5.0 is out'],
    ['3.1 "Offline mode"', 'v3.1.0', 'tideline-web 3.1 “Offline mode” is out'],
    ['v3.1: Offline mode', 'v3.1.0', 'tideline-web v3.1 “Offline mode” is out'],
    ['Aurora', 'v4.0.0', 'tideline-web v4.0.0 “Aurora” is out'],
    ['Offline mode is here', 'v3.1.0', 'Offline mode is here'],
    ['New release!', 'v3.1.0', 'tideline-web v3.1.0 is out'],
    ['The new version is out!', 'v3.1.0', 'tideline-web v3.1.0 is out'],
    ['v3.1 is out!', 'v3.1.0', 'tideline-web v3.1 is out'],
    ['Tideline Web 3.1 is now available', 'v3.1.0', 'Tideline Web 3.1 is out'],
    ['New release of tideline-web', 'v3.1.0', 'tideline-web v3.1.0 is out'],
    ['🚀 Bug fixes', 'v3.1.1', 'tideline-web v3.1.1 is out'],
    ['New editor', 'v3.1.0', 'tideline-web v3.1.0 “New editor” is out'],
    ['Updates to the editor and search', 'v3.1.0', 'Updates to the editor and search'],
    ['v2.4.0 [LTS]', 'v2.4.0', 'tideline-web v2.4.0 “LTS” is out'],
    ['v2.4.0 (Aurora)', 'v2.4.0', 'tideline-web v2.4.0 “Aurora” is out'],
    ['v2.4.0 Aurora (beta)', 'v2.4.0', 'tideline-web v2.4.0 “Aurora (beta)” is out'],
    ['v2.4 Nova', 'v2.4', 'tideline-web v2.4 “Nova” is out'],
    ['v2.4.0 (Nova)', 'v2.4.0', 'tideline-web v2.4.0 “Nova” is out'],
    ['2.4 – Nova', 'v2.4', 'tideline-web 2.4 “Nova” is out'],
    ['Nova 2.4', 'v2.4', 'Nova 2.4 is out'],
    ['v2.4 Next', 'v2.4', 'tideline-web v2.4 “Next” is out'],
    ['Next 15.0', 'v15.0', 'Next 15.0 is out'],
    ['Next version 15.0', 'v15.0', 'tideline-web 15.0 is out'],
    ['Nova versão 2.4', 'v2.4', 'tideline-web 2.4 is out'],
    ['v2.4 (first release)', 'v2.4', 'tideline-web v2.4 is out'],
    ['v2.4.0 / 2026-11-27', 'v2.4.0', 'tideline-web v2.4.0 is out'],
    ['v2.4.0 (November 27, 2026)', 'v2.4.0', 'tideline-web v2.4.0 is out'],
    ['Version 2.4 – 27. November 2026', 'v2.4.0', 'tideline-web 2.4 is out'],
    ['Tideline Web 2.4 (27.11.2026)', 'v2.4.0', 'Tideline Web 2.4 is out'],
    ['v2.4.0 Release', 'v2.4.0', 'tideline-web v2.4.0 is out'],
    ['v2.4.0 – Release Notes', 'v2.4.0', 'tideline-web v2.4.0 is out'],
    ['v2.4.0 (Latest)', 'v2.4.0', 'tideline-web v2.4.0 is out'],
    ['Version 2.4 Final Release', 'v2.4.0', 'tideline-web 2.4 is out'],
    ['v2.4.0-final', 'v2.4.0', 'tideline-web v2.4.0-final is out'],
    ['New version 2.4', 'v2.4.0', 'tideline-web 2.4 is out'],
    ['October 2026', '1.106.0', 'tideline-web 1.106.0 “October 2026” is out'],
    ['Winter 2026', 'v5.0', 'tideline-web v5.0 “Winter 2026” is out'],
    ['Tideline Web 2026', 'v2026.1', 'Tideline Web 2026 is out'],
    ['Hotfix 2.4.1', 'v2.4.1', 'tideline-web 2.4.1 is out'],
    ['tideline-web: v2.4 has been released', 'v2.4.0', 'tideline-web v2.4 is out'],
    ['2.4.0 "Winter" is here', 'v2.4.0', 'tideline-web 2.4.0 “Winter” is out'],
    ['Version 2.0 ist da', 'v2.0.0', 'tideline-web 2.0 is out'],
    ['Neue Version 2.0 ist jetzt verfügbar!', 'v2.0.0', 'tideline-web 2.0 is out'],
    ['Version 2.0 est disponible', 'v2.0.0', 'tideline-web 2.0 is out'],
    ['La versión 2.0 ya está disponible', 'v2.0.0', 'tideline-web 2.0 is out'],
    ['Versão 2.0 já está disponível', 'v2.0.0', 'tideline-web 2.0 is out'],
    ['Versie 2.0 is uit', 'v2.0.0', 'tideline-web 2.0 is out'],
    ['Versione 2.0 è disponibile', 'v2.0.0', 'tideline-web 2.0 is out'],
    ['Wersja 2.0 już dostępna', 'v2.0.0', 'tideline-web 2.0 is out'],
    ['Version 2.0 är här', 'v2.0.0', 'tideline-web 2.0 is out'],
    ['v2.0 を公開しました', 'v2.0.0', 'tideline-web v2.0 is out'],
    [null, '@acme/ui@4.2.0', '@acme/ui 4.2.0 is out'],
    ['', 'core-v1.2.3', 'core v1.2.3 is out'],
    ['v1.1', 'v1.1', 'release-webhook-example v1.1 is out', 'release-webhook-example'],
  ]
  for (const [name, tag, title, product = 'tideline-web'] of cases)
    test(`a release with the name ${JSON.stringify(name)} and the tag ${tag} has the title "${title}"`, () => {
      expect(releaseTitle({ product, name, tag, language }).title).toBe(title)
    })

  test('a release whose title names no version names it in the first line of its body', () => {
    const { lead } = releaseTitle({
      product: 'tideline-web',
      name: 'Offline mode is here',
      tag: 'v3.1.0',
      language,
    })
    expect(lead).toBe('tideline-web v3.1.0')
  })
})

const body = (notes: string | null, lead?: string) =>
  releaseBody({ notes, title: 'Tideline 3 is out', lead, language })

const generatedNotes = `<!-- Release notes generated using configuration in .github/release.yml at main -->
## What's Changed
* feat: offline index for search by @ines-a in https://github.com/acme/web/pull/12
* Bump lodash from 4.17.20 to 4.17.21 by @dependabot in https://github.com/acme/web/pull/13
* chore(deps): update dependency vite to v5 by @renovate[bot] in https://github.com/acme/web/pull/14

## New Contributors
* @zed made their first contribution in https://github.com/acme/web/pull/14

**Full Changelog**: https://github.com/acme/web/compare/v2.3.0...v2.4.0`

const releasePlease = `## [2.5.0](https://github.com/acme/web/compare/v2.4.0...v2.5.0) (2026-11-03)

### Features

* **search:** offline index ([#12](https://github.com/acme/web/issues/12)) ([abc1234](https://github.com/acme/web/commit/abc1234))

### Bug Fixes

* handle :warning: in titles ([#13](https://github.com/acme/web/issues/13)) ([def5678](https://github.com/acme/web/commit/def5678)), closes [#11](https://github.com/acme/web/issues/11)`

const written = `# Tideline 3 is out

Thanks to @ines-a and core@1.2.3, see https://tideline.example/notes.

## Editor
You can paste images.

- Drag and drop (#12)
- Undo works again. Fixes #45.

## Bug fixes
- crash on \`start\` (abc1234)
- b94d27b Fix y

\`\`\`
npm install tideline
\`\`\``

describe('bodies of releases', () => {
  test('notes that only announce a release become the sentence about a maintenance release', () => {
    expect(body('New release!')).toBe('<p>Maintenance release.</p>')
    expect(body('A new version is available.\n\nIt is faster.')).toBe('<p>It is faster.</p>')
  })

  const cases: [input: string, notes: string | null, html: string][] = [
    [
      'with generated notes of one human line and bots’ lines',
      generatedNotes,
      '<p><strong>New:</strong> offline index for search (Ines A.)</p>',
    ],
    [
      'with notes of release-please',
      releasePlease,
      '<p><strong>New:</strong> Search: offline index</p>\n<p><strong>Fixed:</strong> handle ⚠️ in titles</p>',
    ],
    ['without notes', null, '<p>Maintenance release.</p>'],
    ['with notes that only say so', 'v1.1 has been released', '<p>Maintenance release.</p>'],
    [
      'with a changeset of dependencies',
      '### Patch Changes\n\n- Updated dependencies [1a2b3c4]\n  - @acme/core@1.2.3',
      '<p>Maintenance release.</p>',
    ],
    [
      'with references and quick actions of GitLab',
      'See !123 and #45. /label ~bug :rocket:',
      '<p>Maintenance release. 🚀</p>',
    ],
    ['with notes of one sentence', 'Faster.', '<p>Faster.</p>'],
    [
      'with a sentence about fixes',
      'Below is a list of all new features, APIs, and bug fixes.',
      '<p>Below is a list of all new features, APIs, and bug fixes.</p>',
    ],
    [
      'with a credit of changesets',
      '- [`1a2b3c4`](https://x.example) Thanks [@ines-a](https://x.example)! - Add focus ring',
      '<p>Add focus ring (Ines A.)</p>',
    ],
    [
      'with notes that people wrote',
      written,
      `<p>Thanks to Ines A. and core@1.2.3.</p>
<h3>Editor</h3>
<p>You can paste images.</p>
<ul>
<li>Drag and drop</li>
<li>Undo works again</li>
</ul>
<h3>Fixed</h3>
<ul>
<li>Crash on <code>start</code></li>
<li>Y</li>
</ul>`,
    ],
  ]
  for (const [input, notes, html] of cases)
    test(`the body of a release ${input} says what changed for people`, () => {
      expect(body(notes)).toBe(html)
    })

  test('the body of a release begins with the product and version when the title does not name them', () => {
    expect(body('You can now read without a network. :tada:', 'tideline-web v3.1.0')).toBe(
      '<p>tideline-web v3.1.0</p>\n<p>You can now read without a network. 🎉</p>',
    )
  })

  test('the body of a release has at most eight points and says how many more there are', () => {
    const notes = Array.from({ length: 22 }, (_, index) => `* change ${index} of the notes`)
    const html = body(notes.join('\n'))
    expect(html.match(/<li>/g)).toHaveLength(8)
    expect(html).toEndWith('<p>and 14 more</p>')
  })

  test('long notes of a release are cut after a whole paragraph', () => {
    const html = body('The lamp is brighter than before in every harbour.\n\n'.repeat(3_000))
    expect(html.match(/<p>The lamp is brighter than before in every harbour\.<\/p>/g)).toHaveLength(
      20,
    )
    expect(html).toEndWith('harbour.</p>\n<p>…</p>')
  })

  test('points of a release that are far down in long notes are counted', () => {
    const html = body('* a change that the notes describe in a few words\n'.repeat(1_000))
    expect(html).toEndWith('<p>and 992 more</p>')
  })

  for (const [name, unit] of [
    ['no-break spaces', '\u00a0'],
    ['digits', '0'],
    ['parts of a number', '1.'],
    ['quick actions', '/label '],
    ['references', 'see #1 and '],
    ['quoted lines', '> a\n'],
    ['short paragraphs', 'a\n\n'],
    ['accounts', '* a by @b, @c and [@d](e\n'],
    ['updates of packages', '* bump a to 1.1, b to 1.1 in /c\n'],
    ['sentences that refer to issues', 'See #1. '],
  ] as const)
    test(`the time for release notes of ${name} grows with their length only`, async () => {
      const notes = (size: number) => body(unit.repeat(size / unit.length))
      expect(await growthOf(notes, 6_000)).toBeLessThan(maxLinearGrowth)
    })

  test('the time for accounts in brackets that are no links grows with their number only', async () => {
    const notes = (size: number) => body(`* Tabs by @a${' and [b'.repeat(size / 7)}`)
    expect(await growthOf(notes, 70)).toBeLessThan(maxLinearGrowth)
  })

  test('the body of a release is in the language of the team', () => {
    const german = releaseBody({ notes: null, title: 'x', language: 'de' })
    expect(german).toBe('<p>Wartungsversion.</p>')
  })
})

describe('names behind a change', () => {
  test.each([
    'Show results by @name and @date',
    'Show results by @name and date',
    'Show results by @name & @date',
    'Sort by @name, @date',
    'Notify people by @mention and @team',
    'Fix crash reported by @bob and @mina',
    'Ergebnisse nach @name und @datum',
    'Dateien teilen mit @bob',
    'Tri par @nom et @date',
    'Orden por @nombre y @fecha',
  ])('names that can be a part of a sentence before a reference stay there: %s', (change) => {
    expect(body(`- ${change} (#3)`)).toBe(`<p>${Bun.escapeHTML(change)}</p>`)
  })

  test.each([
    '- Dark mode by @bob and @mina (#12)\n- Tabs by @bob (#13)',
    '- Dark mode by @bob & @mina (#12)\n- Tabs (@bob)',
    '- Dark mode by @bob, @mina (#12)\n- Tabs, thanks @bob!',
  ])(
    'several names before a reference are authors where others of the list name theirs: %j',
    (notes) => {
      expect(body(notes)).toBe('<ul>\n<li>Dark mode (bob, mina)</li>\n<li>Tabs (bob)</li>\n</ul>')
    },
  )

  test.each([
    'Compare teams by @team and @month',
    'Fix crash reported by @bob and @mina',
    'Tags, thanks @bob & friends',
  ])('names stay in a sentence where others of the list name their authors: %s', (change) => {
    expect(body(`- Tabs by @bob (#2)\n- ${change} (#3)`)).toBe(
      `<ul>\n<li>Tabs (bob)</li>\n<li>${Bun.escapeHTML(change)}</li>\n</ul>`,
    )
  })
})

const below = (heading: string) => body(`## ${heading}\n- Maps\n- Menus`)
const points = '<ul>\n<li>Maps</li>\n<li>Menus</li>\n</ul>'

describe('headings of release notes', () => {
  test.each([
    ['New features', 'New'],
    ['No-code features', 'New'],
    ['Neue Funktionen', 'New'],
    ['Nouvelles fonctionnalités', 'New'],
    ['Nuevas funcionalidades', 'New'],
    ['Hinzugefügt', 'New'],
    ['Kleine Verbesserungen', 'Improved'],
    ['Améliorations diverses', 'Improved'],
    ['Mejoras', 'Improved'],
    ['Open source improvements', 'Improved'],
    ['Bug fixes', 'Fixed'],
    ['Missing translations fixed', 'Fixed'],
    ['Fehlerbehebungen und Korrekturen', 'Fixed'],
    ['Sicherheit', 'Fixed'],
    ['Corrections d’anomalies', 'Fixed'],
    ['Correcciones de errores', 'Fixed'],
    ['Inkompatible Änderungen', 'Please note'],
    ['Known issues fixed', 'Fixed'],
    ['Known bugs fixed', 'Fixed'],
    ['Improvements in planned downtime', 'Improved'],
    ['New in progress bar', 'New'],
    ['New non-profit plan', 'New'],
    ['New offensive content filter', 'New'],
    ['New retirement plan', 'New'],
    ['New SIN number fields', 'New'],
    ['Fix non-UTF-8 names', 'Fixed'],
    ['Fix drafts that are not saved', 'Fixed'],
  ])('the heading %s becomes %s', (heading, kind) => {
    expect(below(heading)).toBe(`<h3>${kind}</h3>\n${points}`)
  })

  test.each([
    'Entfernte Funktionen',
    'Veraltete Funktionen',
    'Funktionen, die entfallen',
    'Fonctionnalités supprimées',
    'Funcionalidades eliminadas',
    'Removed features',
    'Features that are no longer supported',
    'Deprecated features',
    'Noch nicht behobene Fehler',
    'Offene Sicherheitslücken',
    'Offene Bugs',
    'Bugs non corrigés',
    'Not yet fixed',
    'Known bugs in the tests',
    'Geplante Verbesserungen',
    'Geplante Features',
    'Améliorations à venir',
    'Próximas mejoras',
    'Upcoming documentation improvements',
    'Non-breaking changes',
    'Planned fixes',
    'Upcoming fixes',
    'New features coming soon',
    'Improvements planned for June',
    'Known bugs not fixed',
    'Known bugs to be fixed',
    'Bugs sin corregir',
  ])('a heading of what is gone, planned or open stays: %s', (heading) => {
    expect(below(heading)).toBe(`<h3>${heading}</h3>\n${points}`)
  })

  test.each([
    'Sicherheitshinweise',
    'Sicherheitsdatenblätter',
    'Korrekturlesen',
    'Sécurité incendie',
    'Seguridad en el trabajo',
    'Funktionen für Manager',
    'Verbesserungen und Fehlerbehebungen',
    'Inkompatible Geräte',
    'Überblick',
    'Résumé',
  ])('a heading that says more than the kind of its changes stays: %s', (heading) => {
    expect(below(heading)).toBe(`<h3>${heading}</h3>\n${points}`)
  })

  test.each([
    'Interne Kommunikation',
    'Internes Postfach',
    'Wartung',
    'Wartungsfenster',
    'Wartungsverträge',
    'Abhängigkeiten zwischen Aufgaben',
    'Mitwirkende am Projekt verwalten',
    'Hinweise zur Dokumentation von Arbeitszeiten',
    'Communication interne',
    'Dépendances entre tâches',
    'Fonctionnalités dépréciées',
    'Mantenimiento de clientes',
    'Documentación de clientes',
    'Colaboradores externos',
    'Novos colaboradores',
  ])('a section about the product stays: %s', (heading) => {
    expect(below(heading)).toBe(`<h3>${heading}</h3>\n${points}`)
  })

  test.each([
    'Dependencies',
    'New Contributors',
    'Abhängigkeiten',
    'Aktualisierte Abhängigkeiten',
    'Neue Mitwirkende',
    'Dokumentation',
    'Internes',
    'Dépendances',
    'Mises à jour des dépendances',
    'Nouveaux contributeurs',
    'Dependencias',
    'Documentación',
    'Contribuidores',
  ])('a section that readers do not need is left out: %s', (heading) => {
    expect(below(heading)).toBe('<p>Maintenance release.</p>')
  })

  test.each([
    ['in bold', '**New:**\n* Maps\n* Menus\n\n**Bug fixes:**\n\n* Crash'],
    ['with a colon', 'New:\n- Maps\n- Menus\nBug fixes:\n- Crash'],
    ['in bold before a colon', '__New__:\n\n- Maps\n- Menus\n\n__Bug fixes__:\n\n- Crash'],
  ])('labels %s above lists are headings', (_, notes) => {
    expect(body(notes)).toBe(`<h3>New</h3>\n${points}\n<p><strong>Fixed:</strong> Crash</p>`)
  })

  test('labels of parts of a product above lists are headings', () => {
    expect(body('Web:\n- Maps\n- Menus\n\nAndroid app:\n- Tabs')).toBe(
      `<h3>Web</h3>\n${points}\n<p><strong>Android app:</strong> Tabs</p>`,
    )
  })

  test('a sentence above the only list is no heading', () => {
    expect(body('This release has:\n- Maps\n- Menus')).toBe(`<p>This release has:</p>\n${points}`)
  })

  test('fixed known issues are shown before the rest of the notes', () => {
    const notes = '## Other changes to maps\n- Menus\n## Known issues fixed\n- Maps'
    expect(body(notes)).toStartWith('<p><strong>Fixed:</strong> Maps</p>')
  })

  test('a section of further changes is the last and keeps its heading', () => {
    expect(body('## Weitere Änderungen\n- Menus\n## Neue Funktionen\n- Maps')).toBe(
      '<p><strong>New:</strong> Maps</p>\n<p><strong>Weitere Änderungen:</strong> Menus</p>',
    )
  })
})
