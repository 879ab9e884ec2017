import type { ChangeKind } from './release-lines.ts'

/** A heading that contains one of these words; `x-` is any word that begins with x. */
const withWord = (...words: string[]) => {
  const all = words.join('|').replace(/-(?=\||$)/g, String.raw`\p{L}*`)
  return new RegExp(String.raw`(?<!\p{L})(?:${all})(?!\p{L})`, 'iu')
}

/** A heading that consists of one of these words. */
const only = (...words: string[]) => new RegExp(`^(?:${words.join('|')})$`, 'iu')

// The headings of https://keepachangelog.com and other common ones, in English and then in the other languages of the
// newsletters, with a line for each.
const kinds: [RegExp, ChangeKind][] = [
  [/\bbreaking\b/i, 'breaking'],
  [withWord('in[ck]ompatib-|incompatív-|niezgodn-'), 'breaking'],
  [/\bfix|\bbugs?(?:\b|-?fix)|resolved|security/i, 'fixed'],
  [
    withWord(
      'fehlerbeh[eo]b-|fehlerkorrektur-|behoben-|korrektur-|korrigiert-|sicherheit-',
      'correction-|correctif-|corrigé-|sécurité',
      'correccion-|corregid-|arregl-|seguridad',
      'correç-|corrigid-|segurança',
      'opgelost-|foutoplossing-|beveiliging',
      'correzion-|corrett-|risolt-|sicurezza',
      'poprawk-|naprawion-|bezpieczeństwo',
      'buggfix-|rättning-|rättad-|åtgärdad-|säkerhet',
      '(?:不具合|バグ)?修正',
    ),
    'fixed',
  ],
  [/improve|enhanc|perform|^changed$|^updated$|polish/i, 'improved'],
  [
    withWord(
      'verbesser-|optimier-|amélior-|mejor-|melhor-|verbeter-|miglior-|ulepsz-|förbättr-|改善',
    ),
    'improved',
  ],
  [
    only(
      'geändert|modifié|cambiado|modificado|alterado|gewijzigd|modificato|zmienion[eo]|ändrat|変更',
    ),
    'improved',
  ],
  [/\bnew\b|feature|^added$|^additions$|highlights?|major changes|minor changes/i, 'new'],
  [
    withWord(
      'neuerung-|neuheit-|neuigkeit-|hinzugefügt|funktionen',
      'nouveauté-|ajouté?e?s?|fonctionnalité-',
      'novedad-|añadid-|agregad-|funcionalidad-',
      'novidad-|adicionad-',
      'toegevoegd',
      'novità|aggiunt-',
      'nowoś-|dodan-',
      'nyhet-|tillag-',
      '新機能|追加',
    ),
    'new',
  ],
  // `Die neue Suche` says what is new.
  [
    only(
      '(?:was ist )?neu|neue[rs]?(?: features)?|(?:quoi de )?(?:neuf|nouveau)|nuevo|nuevas funciones|novo|novos recursos|nieuw|nieuwe functies|nuov[oi]|nuove funzioni|nowe(?: funkcje)?|nytt|nya funktioner',
    ),
    'new',
  ],
]
// What is known is not fixed yet.
const known = /^(?:known|bekannte)\b|\b(?:connus?|conocidos?|conhecidos?)$/i

// The rest of the notes.
const rest =
  /^(?:other|miscellaneous|sonstiges?|weiteres?|autres?|divers|otr[oa]s|outr[oa]s|overige?|altr[eio]|inne|övrigt)\b/i

/** Whether the section of a heading is the last, as that of known bugs and of the rest is. */
export const isAtEnd = (heading: string): boolean => known.test(heading) || rest.test(heading)

const contributors = withWord(
  'contributors|mitwirkende-|contributeurs|colaboradores|contribuidores|bijdragers|contributori',
)
const leftOut = [
  /full changelog|dependenc|\bchores?\b|maintenance|housekeeping|\binternal|\bbuild\b|\bci\b|\btests?\b|checksums?|\bsha-?\d|\bassets\b|downloads?|\bdocker\b|\binstall|sponsors?|credits|acknowledg|patch changes|refactor|documentation|\bdocs\b|miscellaneous|under the hood|\breverts?\b|reverted/i,
  withWord(
    'abhängigkeit-|wartung-|interne?s?|dokumentation|prüfsumme-',
    'dépendance-',
    'mantenimiento|documentación',
    'dependência-|manutenção|documentação',
    'afhankelijkhe-|onderhoud|documentatie',
    'dipendenz-|manutenzione|documentazione',
    'zależno-|dokumentacja',
    'beroende-|依存関係',
  ),
]
/** Headings that say nothing about what is below them. */
const general = [
  /^(?:what.?s changed|changes|changelog|release notes|other changes|overview|summary)$|^\S*\s*v?\d+\.\d[\w.+-]*(?:\s.*)?$/i,
  only(
    '(?:weitere |sonstige |alle )?änderungen|änderungsprotokoll|versionshinweise|überblick|zusammenfassung',
    '(?:autres )?changements|notes de version|résumé',
    '(?:otros )?cambios|notas de la versión|resumen',
    '(?:outras )?(?:mudanças|alterações)',
    '(?:overige )?wijzigingen',
    '(?:altre )?modifiche',
    '(?:inne )?zmiany',
    '(?:övriga )?ändringar',
    '変更点|変更履歴',
  ),
]

interface Heading {
  /** Undefined when the heading names none. */
  kind: ChangeKind | undefined
  /** Whether readers do not need what is below it. */
  isLeftOut: boolean
  /** Whether it says nothing about what is below it. */
  isGeneral: boolean
}

/** What a heading of release notes, in words without markup, says about the changes below it. */
export function readHeading(words: string): Heading {
  const isOfPeople = contributors.test(words)
  const isOfKind = !isOfPeople && !known.test(words)
  const kind = isOfKind ? kinds.find(([pattern]) => pattern.test(words))?.[1] : undefined
  return {
    kind,
    isLeftOut: isOfPeople || (kind === undefined && leftOut.some((pattern) => pattern.test(words))),
    isGeneral: general.some((pattern) => pattern.test(words)),
  }
}
