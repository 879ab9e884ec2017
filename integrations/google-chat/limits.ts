// Limits that keep messages and forms within those of Google Chat, in characters.

/** The text in a form: a card has at most 32 KB. */
export const bodyCharacters = 6_000
/** What a person wrote in a form, in a message: more than its title and its text. */
export const writtenCharacters = 6_500
