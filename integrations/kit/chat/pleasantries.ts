import { languages } from '../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../src/locales/index.ts'
import { capitalize } from '../item.ts'

const greeting = String.raw`^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|guten (?:morgen|tag|abend)|moin|servus|liebe[rs]?|bonjour|salut|coucou|hola|buen[oa]s (?:días|tardes)|olá|oi|bom dia|ciao|buongiorno|cześć|hej|hoi|goedemorgen|皆さん|みなさん|こんにちは|お疲れ様です)(?![\p{L}\p{N}])(?:、(?:こんにちは|お疲れ様です|皆さん|みなさん)(?![\p{L}\p{N}]))?`
// The people whom a greeting can name without saying anything: `all`, `Kolleginnen und Kollegen`, `à tous`.
const everybody = String.raw`(?:an?|the|and|again|everyone|everybody|all|there|teams?|folks|guys|people|friends|colleagues|crew|und|ihr|liebe[ns]?|moin|alle[nrs]?|allerseits|zusammen|miteinander|leute|freunde|kolleg(?:e|en|innen)|kolleg[:*]innen|mitarbeit(?:er|ende|enden|erinnen)(?:[:*]innen)?|et|à|l['’]équipe|équipe|tou[st]|toutes|le|monde|collègues|y|a|todos|todas|equipo|compañeros|e|pessoal|gente|galera|equip[ae]|colegas|en|allemaal|iedereen|collega['’]s|tutti|tutte|colleghi|i|wszystkim|wszyscy|och|alla|allihopa|teamet)(?![\p{L}\p{N}])`
// Two repeated classes without a common character, so that it takes time in proportion to the number of spaces and marks.
const line = String.raw`(?:[\t \u00a0\u2000-\u200a\u202f\u3000!,;.、。–\-\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f]|\d\ufe0f?\u20e3)*\n\s*(?=\S)`
const greetingOfEverybody = new RegExp(`${greeting}(?:,?[^\\S\\n]+${everybody}){0,5}${line}`, 'iu')

/** A greeting of some people with their names: `Liebe Ada`, `Dear colleagues in Berlin`. */
const names = String.raw`(?:[^\S\n]+[\p{L}@][\p{L}\p{M}\p{N}'’._-]*){1,6}`
const greetingOfSomebody = new RegExp(`${greeting}${names}[,!]`, 'iu')
const startOfLetter = new RegExp(
  String.raw`(${greeting}${names},)[^\S\n]*\n\s*(?=[*_]{0,3}[\p{L}@])`,
  'iu',
)

// The names of a person or a team, which begin with capital letters: `Ada van der Berg`, `Your Facilities team`.
const sender = String.raw`(?-i:[\p{Lu}@][\p{L}\p{M}'’.-]*(?: (?:[\p{Lu}@][\p{L}\p{M}'’.-]*|&|and|und|team|van|von|de|der|den|da|di|du|dos)){0,4})`
// Some emoji, as characters or codes, and the spaces before them.
const emoji = String.raw`(?:[\t \u00a0\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f]|:[a-z\d_+-]{1,60}:){0,20}`
const wish = `(?:(?:kind|best|warm(?:est)?) )?regards|mfg|(?:viele|liebe|beste|schöne|herzliche|mit (?:freundlichen|besten|lieben|herzlichen)) grüßen?|grüße|gruß|(?:bien )?cordialement|bien à vous|bonne (?:journée|soirée)|un saludo|saludos(?: cordiales)?|¡?un abrazo|abraços|(?:met vriendelijke )?groet(?:en|jes)?|cordiali saluti|saluti|pozdrawiam|hälsningar|mvh`
const regards = String.raw`(?:(?:${wish})[,!.]?${emoji}(?:\s+${sender}${emoji})?|(?:(?:lg|vg)[^\S\n]+${sender}|(?:best|yours|lg|vg)(?:,\s+${sender}|[!.]?[^\S\n]*\n\s*${sender}|[,!.]?))${emoji})`
const shortName = String.raw`[\p{Lu}@][\p{L}\p{M}'’.-]*(?: \p{Lu}[\p{L}\p{M}'’.-]*){0,2}`
const shortSender = `(?-i:${shortName}(?: (?:&|and|und) ${shortName})?)`
// Whoever is named without a comma is thanked: `Thanks Ada and Bob`. The sender is after a comma or on the next line.
const thanks = String.raw`(?:cheers|thanks|thx|thank you|many thanks|danke|merci|gracias|obrigad[oa]|grazie)(?:,[^\S\n]+${shortSender}${emoji}|[,!.]?${emoji}(?:[^\S\n]*\n\s*${shortSender}${emoji})?)`
// The space before it is read from its start only, so that it takes time in proportion to its length.
const farewell = new RegExp(String.raw`(?<!\s)(?=[^\S\n]*\n)\s+(?:${regards}|${thanks})\s*$`, 'iu')

// `LG` and `VG` begin names, too: `LG TVs`, `VG Wort`. Any other word behind them is the sender, also `IT` and `McKay`.
const otherName =
  /^\s+(?:LG[^\S\n]+(?:(?:Smart )?TVs?|[OQ]LED|QNED|ThinQ|Ultra\p{Lu}\p{Ll}+|Electronics|Displays?|Chem|Energy|Innotek|Gram|Monit\p{Ll}+|[CK]ameras?|Fernseher|Beamer|Handys?|Smartphones?|Phones?|Geräte)|VG[^\S\n]+(?:Wort|Bild))(?!\p{L})(?!.*(?<!\p{L})[Tt]eam(?!\p{L}))/u

const withoutFarewell = (text: string): string =>
  text.replace(farewell, (end) => (otherName.test(end) ? end : ''))

// What stands for a person whose name is not known.
const someone = languages.map((language) => formatMessage(language, 'someone', {})).join('|')
// A mention, an address, a word of a name, or pronouns in brackets. No word is more than one of them, and each is read to its end.
const recipient = String.raw`(?:\\?[@#~][^\s,;]+(?![^\s,;])|[^\s,;@#~\\(][^\s,;@]*@[^\s,;]+(?![^\s,;])|\([^\s()]{1,30}\)|[&+]|(?-i:\p{Lu}[\p{L}\p{M}'’.-]*|and|und|et|y|van|von|de|der|den|da|di|du|dos|${someone})(?![\p{L}\p{M}\p{N}'’.-]))`
// Any word that ends no sentence: `mira`, `ada.lovelace`.
const word = String.raw`(?:${recipient}|\p{L}[\p{L}\p{M}\p{N}'’._-]*(?![\p{L}\p{M}\p{N}'’._-])(?<!\.))`
const wordsOf = (one: string, more: number) =>
  String.raw`${one}(?:(?:[^\S\n]*[,;])?[^\S\n]*(?<=[\s,;])${one}){0,${more}}`
// Who else gets the message: `cc @mira #general`. In small letters or with a colon, a few words are people in any case;
// `CC licence` can begin a sentence.
const copies = new RegExp(
  String.raw`\n[^\S\n]*[_*]{0,2}(?:cc:?[_*]{0,2}:?[^\S\n]+${wordsOf(recipient, 40)}|(?:(?-i:cc)[_*]{0,2}|cc:[_*]{0,2}|cc[_*]{1,2}:)[^\S\n]+${wordsOf(word, 3)})[\s,;.!*_\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0f]*$`,
  'iu',
)

/**
 * A message without its greeting and its signature: `Hi all,` is not a title of news, and the author is
 * named beside it. A greeting or thanks with a name say something and stay; a greeting such as `Dear Ada,` begins
 * the sentence on the next line.
 */
export function withoutPleasantries(text: string): string {
  // The copies are above the farewell or below it.
  const inner = withoutFarewell(text.replace(copies, '')).replace(copies, '')
  const rest = inner.replace(greetingOfEverybody, '')
  return rest === inner ? inner.replace(startOfLetter, '$1 ') : capitalize(rest)
}

/** Whether a text greets somebody: `Dear Ada, you saved the release`. */
export const greetsSomebody = (text: string): boolean => greetingOfSomebody.test(text)
