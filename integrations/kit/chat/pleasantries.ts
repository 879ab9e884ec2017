import { capitalize } from '../item.ts'

const greeting =
  /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|hallo|guten (?:morgen|tag|abend)|moin|servus|liebe[rs]?|bonjour|salut|coucou|hola|buen[oa]s (?:días|tardes)|olá|oi|bom dia|ciao|buongiorno|cześć|hej|hoi|goedemorgen|皆さん|みなさん|こんにちは|お疲れ様です)(?![\p{L}\p{N}])[^.:?\n]{0,40}[,!.、。]?\s*(?:\p{Extended_Pictographic}\ufe0f?\s*)*\n+(?=\s*\S)/iu
// The space before it is read from its start only, so that it takes time in proportion to its length.
const farewell =
  /(?<!\s)(?=[^\S\n]*\n)\s+(?:best|cheers|thanks|thank you|many thanks|(?:kind |best |warm )?regards|yours|lg|vg|mfg|(?:viele|liebe|beste|schöne|mit freundlichen) grüßen?|grüße|gruß|danke|cordialement|bien à vous|merci|un saludo|saludos|gracias|abraços|obrigad[oa]|(?:met vriendelijke )?groet(?:en|jes)?|cordiali saluti|saluti|grazie|pozdrawiam|hälsningar|mvh)[,!.]?(?:\s+(?-i:[\p{Lu}@])[\p{L}. @-]{0,40})?\s*$/iu

// Who else gets the message: `cc @mira #general`.
const copies = /\n[^\S\n]*[_*]{0,2}cc:?[_*]{0,2}:?[^\S\n][^\n]{1,200}\s*$/i

/**
 * A message without its greeting and its signature: `Hi all,` is not a title of news, and the author is
 * named beside it.
 */
export function withoutPleasantries(text: string): string {
  const message = text.replace(copies, '').replace(farewell, '')
  const rest = message.replace(greeting, '')
  return rest === message ? message : capitalize(rest)
}
