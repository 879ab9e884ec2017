import type { ChangeKind } from './release-lines.ts'

/** A heading that contains one of these words; `x-` is any word that begins with x. */
const withWord = (...words: string[]) => {
  const all = words.join('|').replace(/-(?=\||$)/g, String.raw`\p{L}*`)
  return new RegExp(String.raw`(?<![\p{L}-])(?:${all})(?![\p{L}-])`, 'iu')
}

/** A heading that consists of one of these words. */
const only = (...words: string[]) => new RegExp(`^(?:${words.join('|')})$`, 'iu')

// The words before or behind the phrase of a heading, and between two of them.
const quality =
  'neue|weitere|sonstige|kleine(?:re)?|größere|wichtige|allgemeine|diverse|nouve(?:lles?|aux)|autres|petites|diverses|mineures|principales|nuev[oa]s|otr[oa]s|pequeñ[oa]s|divers[oa]s|generales|menores|nov[oa]s|outr[oa]s|pequen[oa]s|nieuwe|overige|nuov[ei]|altr[ei]|piccol[ei]|nowe|inne|drobne|nya|övriga|mindre'
const conjunction = '&|und|et|y|e|en|i|och'

/** A heading that consists of one or two of these phrases: other words would say what the changes are about. */
const phrases = (...all: string[]) => {
  const one = `(?:(?:${quality}) )?(?:${all.join('|')})(?: (?:${quality}))?`
  return new RegExp(`^${one}(?: (?:${conjunction}) ${one})?$`, 'iu')
}

// The headings of https://keepachangelog.com and other common ones, in English and then in the other languages of the
// newsletters, with a line for each.
const breaking = [
  /(?<!\bnon?[- ])\bbreaking\b/i,
  phrases(
    '(?:inkompatible|nicht (?:abwärts|rückwärts)kompatible) änderungen|inkompatibilitäten',
    'changements incompatibles|incompatibilités',
    'cambios incompatibles|incompatibilidades',
    '(?:mudanças|alterações) incompatíveis',
    'incompatibele wijzigingen',
    'modifiche incompatibili|incompatibilità',
    'niezgodne zmiany|zmiany niezgodne|niezgodności',
    'inkompatibla ändringar',
  ),
]
const kinds: [RegExp, ChangeKind][] = [
  [/(?<!\p{L})fix|\bbugs?(?:\b|-?fix)|resolved|security/iu, 'fixed'],
  [/improve|enhanc|perform|^changed$|^updated$|polish/i, 'improved'],
  [/\bnew\b|feature|^added$|^additions$|highlights?|major changes|minor changes/i, 'new'],
  [
    phrases(
      'fehlerbeh[eo]bung(?:en)?|(?:fehler|bug)?korrektur(?:en)?|(?:behobene|korrigierte|gelöste) (?:fehler|probleme|sicherheitslücken)|behoben|fehler behoben|korrigiert|sicherheit|sicherheits(?:korrekturen|updates?|patches)',
      "corrections?(?: (?:de |d[’'])(?:bugs?|bogues?|erreurs|anomalies|problèmes))?|correctifs?(?: de (?:bugs?|sécurité))?|(?:bugs|bogues|problèmes|anomalies|erreurs) (?:corrigé|résolu)e?s|corrigée?s?|sécurité",
      'correcci(?:ón|ones)(?: de (?:errores|fallos|bugs|seguridad))?|(?:errores|fallos|problemas) (?:corregid|solucionad|arreglad|resuelt)os|corregid[oa]s?|arreglos|arreglad[oa]s?|seguridad',
      'correç(?:ão|ões)(?: de (?:erros|bugs|falhas|segurança))?|(?:erros|bugs|problemas) corrigidos|corrigid[oa]s?|segurança',
      'opgelost(?:e (?:fouten|bugs|problemen))?|foutoplossing(?:en)?|beveiliging',
      'correzion[ei](?: (?:di |dei )(?:bug|errori))?|(?:bug|errori|problemi) (?:corretti|risolti)|corrett[oi]|risolt[oi]|sicurezza',
      'poprawk[ai](?: (?:błędów|bezpieczeństwa))?|(?:naprawione|poprawione) błędy|naprawion[eoy]|bezpieczeństwo',
      'buggfix(?:ar)?|(?:fel|bugg)?rättning(?:ar)?|(?:rättade|åtgärdade) (?:fel|buggar)|rättat|åtgärdat|säkerhet',
      '(?:不具合|バグ)?修正',
    ),
    'fixed',
  ],
  [
    phrases(
      '(?:leistungs)?(?:verbesserung|optimierung)(?:en)?|verbessert|optimiert|geändert',
      'améliorations?|améliorée?s?|optimisations?|modifiée?s?',
      'mejoras?(?: de rendimiento)?|mejorad[oa]s?|cambiad[oa]s?|modificad[oa]s?',
      'melhorias?(?: de desempenho)?|melhorad[oa]s?|alterad[oa]s?',
      'verbetering(?:en)?|verbeterd|gewijzigd',
      'migliorament[oi]|migliorie|migliorat[oi]|modificat[oi]',
      'ulepszeni[ae]|ulepszon[eoy]|zmienion[eoy]',
      'förbättring(?:ar)?|förbättrat|ändrat',
      '改善|変更',
    ),
    'improved',
  ],
  [
    phrases(
      '(?:(?:was|das) ist )?neu|neue[rs]?|neuerung(?:en)?|neuheit(?:en)?|neuigkeit(?:en)?|hinzugefügt|funktion(?:en)?',
      '(?:quoi de )?(?:neuf|nouveau)|nouveautés?|ajouts?|ajoutée?s?|fonctionnalités?',
      'nuevo|novedad(?:es)?|añadid[oa]s?|agregad[oa]s?|funcionalidad(?:es)?|nuevas (?:funciones|características)',
      'novo|novidades?|adicionad[oa]s?|funcionalidades?|nov[oa]s (?:recursos|funções)',
      'nieuw|toegevoegd|nieuwe functies',
      'nuov[oi]|novità|aggiunt[aeio]|nuove funzion(?:i|alità)',
      'nowe(?: funkcje)?|nowoś(?:ć|ci)|dodan[eoy]',
      'nytt|nyhet(?:er)?|tillag[dt]a?|nya funktioner',
      '新機能|追加',
    ),
    'new',
  ],
]
// What is gone, planned or open: `Removed features`, `Geplante Features`, `Bugs non corrigés`.
const negations = 'not|no longer|unfixed|unresolved'
const states =
  'removed|deprecated|discontinued|retired|upcoming|coming|planned|future|working on|in progress|pending|remaining'
const notDoneInEnglish = withWord(negations, states, 'open (?:bugs?|security)', 'missing features')
const notDoneElsewhere = withWord(
  'nicht|nie|kein-|entfern-|entfallen-|veraltet-|eingestellt-|geplant-|kommend-|künftig-|offen(?:e[mnrs]?)?|ungelöst-',
  'non|pas|supprim-|retiré-|dépréci-|obsol-|prévu-|à venir|futur-|restant-',
  'sin|no corregid-|no resuelt-|eliminad-|próxim-|planead-|planificad-|pendient-',
  'não|sem|removid-|descontinuad-|planejad-',
  'niet|verwijderd-|verouderd-|gepland-|komend-|openstaand-',
  'rimoss-|deprecat-|prossim-|pianificat-|apert[aeio]',
  'usunięt-|planowan-|przestarzał-',
  'inte|ej|borttag-|planerad-|kommande|föråldrad-',
)
const kindWord =
  /(?<!\p{L})(?:new features?|new|fix\p{L}*|improv\p{L}*|enhanc\p{L}*|features?|bugs?(?:-?fix\p{L}*)?|security|perform\p{L}*|resolved)(?!\p{L})/iu
const bugsOrFeatures = /^(?:bugs?|features?)$/i
const negated = withWord(negations)
// `Improvements planned for June` are planned, and `Improvements in planned downtime` are not.
const inState = withWord(
  String.raw`(?:${states})(?=$| (?:\d|(?:soon|next|later|for|in|on|by|from|until|with|releases?|versions?|features?|fixes|bugs?|improvements?)(?!\p{L})))`,
)
// A sentence about what was done, such as `Fix drafts that are not saved`.
const sentence = /^(?:fix(?:ed)?|improve[ds]?|enhance[ds]?)(?!\p{L})/iu

/** Whether a heading names changes that are gone, planned or open, and not only a product with such a word. */
function isOfNotDone(words: string): boolean {
  if (sentence.test(words)) return false
  const kind = kindWord.exec(words)
  const [word = ''] = kind ?? []
  const end = kind === null ? words.length : kind.index + word.length
  const [start, behind] = [words.slice(0, end), words.slice(end)]
  if (notDoneInEnglish.test(start) || notDoneElsewhere.test(start) || inState.test(behind))
    return true
  if (!/^new$/i.test(word) && negated.test(behind)) return true
  // Behind other words than these, a heading is in English: `New SIN number fields`.
  return bugsOrFeatures.test(word) && notDoneElsewhere.test(behind)
}

// What is known is not fixed yet, unless the heading says so: `Known issues fixed`.
const known = /^(?:known|bekannte)\b|\b(?:connus?|conocidos?|conhecidos?)$/i
const knownAndFixed =
  /(?<!\p{L})(?<!(?<!\p{L})(?:not|yet|be|nicht) )(?:fixed|resolved|solved|behoben\p{L}*|gelöst\p{L}*)(?!\p{L})/iu
const isKnown = (heading: string) => known.test(heading) && !knownAndFixed.test(heading)

// The rest of the notes.
const rest =
  /^(?:other|miscellaneous|sonstiges?|weiteres?|autres?|divers|otr[oa]s|outr[oa]s|overige?|altr[eio]|inne|övrigt)\b/i

/** Whether the section of a heading is the last, as that of known bugs and of the rest is. */
export const isAtEnd = (heading: string): boolean => isKnown(heading) || rest.test(heading)

const contributors = [
  /contributors/i,
  only(
    '(?:(?:neue|nouveaux|nuevos|novos|nieuwe|nuovi) )?(?:mitwirkende|contributeurs|contribuidores|bijdragers|contributori)',
  ),
]
const leftOut = [
  /full changelog|dependenc|\bchores?\b|maintenance|housekeeping|\binternal|\bbuild\b|(?<!\p{L})ci(?!\p{L})|\btests?\b|checksums?|\bsha-?\d|\bassets\b|downloads?|\bdocker\b|\binstall|sponsors?|credits|acknowledg|patch changes|refactor|documentation|\bdocs\b|miscellaneous|under the hood|\breverts?\b|reverted/iu,
  // Sections such as `Wartung` and `Colaboradores` can be about the product: they stay.
  only(
    '(?:(?:neue|interne|weitere|aktualisierte) )?abhängigkeiten|intern(?:es)?|interne änderungen|dokumentation|prüfsummen?',
    '(?:mises? à jour des )?dépendances',
    'documentación',
    'dependências|documentação',
    'afhankelijkheden|documentatie',
    'dipendenze|documentazione',
    'zależności|dokumentacja',
    'beroenden|依存関係',
  ),
]
/** Headings that say nothing about what is below them. */
const general = [
  /^(?:what.?s changed|changes|changelog|release notes|other changes|overview|summary)$|^\S*\s*v?\d+\.\d[\w.+-]*(?:\s.*)?$/i,
  only(
    '(?:alle )?änderungen|änderungsprotokoll|versionshinweise',
    'changements|notes de version',
    'cambios|notas de la versión',
    'mudanças|alterações',
    'wijzigingen',
    'modifiche',
    'zmiany',
    'ändringar',
    '変更点|変更履歴',
  ),
]

/** The kind that a heading names, also when it is one of what is gone, planned or open. */
function kindOf(words: string): ChangeKind | undefined {
  if (breaking.some((pattern) => pattern.test(words))) return 'breaking'
  return kinds.find(([pattern]) => pattern.test(words))?.[1]
}

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
  const isOfPeople = contributors.some((pattern) => pattern.test(words))
  const named = isOfPeople ? undefined : kindOf(words)
  const isNotDone = named !== 'breaking' && (isKnown(words) || isOfNotDone(words))
  return {
    kind: isNotDone ? undefined : named,
    isLeftOut:
      isOfPeople || (named === undefined && leftOut.some((pattern) => pattern.test(words))),
    isGeneral: general.some((pattern) => pattern.test(words)),
  }
}
