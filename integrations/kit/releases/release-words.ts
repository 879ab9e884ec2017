const versionPattern = String.raw`v?\d+(?:\.\d+)*(?:[-+.][0-9a-z][0-9a-z.-]*)?`
// Texts such as "New release!" and "Bug fixes" say nothing that the product and its version do not say.
const kinds =
  'new|latest|next|first|initial|stable|final|minor|major|patch|hot-?fix|bug-?fix|maintenance|monthly|weekly|nightly|neue[rs]?|nouvelle|nueva|nova|nieuwe|nuova|nowa|ny'
// Without a word such as "version", the others are names: `v2.4 Nova`, `Next 15.0`.
const kindsAlone = 'latest|stable|final|hot-?fix|bug-?fix|patch'
const versionWord = String.raw`(?:releases?|updates?|versions?|ver\.?|versión|versão|versie|versione|wersja)`

/** A name that is only a version: `New version 2.4`. */
export const onlyVersion = new RegExp(
  String.raw`^(?:(?:the|die|la|a|de|den)\s+)?(?:(?:(?:${kinds})\s+)*${versionWord}\s+|(?:(?:${kindsAlone})\s+)*)(${versionPattern})$`,
  'i',
)

/** A version and the name behind it: `3.1 "Offline mode"`. */
export const versionThenName = new RegExp(
  String.raw`^(?:(?:release|version)\s+)?(${versionPattern})(?:\s*[:–—|-]\s+|\s*,\s*|\s+)(?=["“”„«'‘([\p{L}])(.+)$`,
  'iu',
)
const isAvailable = String.raw`(?:\s+(?:is|are))?(?:\s+(?:now\s+)?(?:out|available|here|published))?[\s!.…]*`
// "Is out" in the languages of the newsletters, also without its verb.
const isOutWords = [
  String.raw`(?:(?:is|are|has\s+been|have\s+been)\s+)?(?:now\s+)?(?:out(?:\s+now)?|available|here|live|released|published)`,
  String.raw`(?:(?:ist|sind|wurde)\s+)?(?:(?:jetzt|nun|ab\s+sofort)\s+)?(?:da|verfügbar|erschienen|veröffentlicht)`,
  String.raw`(?:(?:est|sont)\s+)?(?:(?:maintenant|désormais)\s+)?(?:là|disponibles?|arrivée?s?|sortie?s?|publiée?s?)`,
  String.raw`(?:ya\s+)?(?:está|están)\s+(?:ya\s+)?(?:disponibles?|aquí)|publicad[oa]`,
  String.raw`(?:já\s+)?(?:(?:está|estão)\s+)?(?:disponível|disponíveis|aqui|lançad[oa])`,
  String.raw`(?:(?:is|zijn)\s+)?(?:nu\s+)?(?:uit|beschikbaar|verschenen)`,
  String.raw`(?:(?:è|sono)\s+)?(?:(?:ora|già)\s+)?(?:disponibil[ei]|uscit[aeio]|arrivat[aeio])`,
  String.raw`(?:(?:jest|są)\s+)?(?:już\s+)?(?:dostępn[aey]|wydan[aey])`,
  String.raw`(?:är\s+)?(?:nu\s+)?(?:här|ute|släppt|tillgänglig)`,
]

/** The end of a name that says that something is out. */
export const saysIsOut = new RegExp(
  String.raw`(?:(?<!\s)\s+(?:${isOutWords.join('|')})|\s?(?:を|が)?(?:公開|リリース)(?:しました|されました)?)[\s!.…。]*$`,
  'iu',
)
const day = String.raw`\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{1,2}\.?\s(?:de\s)?\p{L}{3,12}\.?\s(?:de\s)?\d{4}|\p{L}{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}|\d{4}年\d{1,2}月\d{1,2}日`

/** A date or a word behind a version that is no name: `2.4 (27 November 2026)`, `2.4 / Final release`. */
export const saysNothing = new RegExp(
  String.raw`(?:\s[-–—|/]\s|[:,|/]\s?|\s|(?=[([]))[([]?(?:${day}|(?:(?:${kinds})\s)*(?:release(?:\snotes)?|version)|${kindsAlone})[)\]]?$`,
  'iu',
)

/** A line that says only that something was released. */
export const announcement = new RegExp(
  String.raw`^(?:(?:an?|the)\s+)?(?:(?:${kinds})\s+)*(?:releases?|versions?|updates?)${isAvailable}$`,
  'iu',
)

/** A name that says only that a release has changes. */
export const changeWords: RegExp =
  /^(?:release notes|change-?log|(?:hot|bug)[ -]?fix(?:es)?|fixes|what['’]?s (?:new|changed)|versionshinweise|fehlerbehebungen|wartungs(?:version|release|update)|was ist neu|notes de version|corrections|notas de la versión|correcciones|notas de versão|correções|release-opmerkingen|note di rilascio|correzioni|informacje o wydaniu|poprawki|versionsinformation|リリースノート|変更履歴)[\s!.…]*$/iu

/** A version, or a word and a version. */
export const versionAtEnd = new RegExp(String.raw`^(?:[\p{L}\p{N}]+\s)?${versionPattern}$`, 'iu')

/** A name that ends with a version. */
export const endsWithVersion = new RegExp(String.raw`\s${versionPattern}$`, 'i')

/** A word and a year, such as `October 2026`: they say when something was released, and not what. */
export const season: RegExp = /^\S+\s(?:19|20)\d\d$/
