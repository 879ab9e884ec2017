// Limits that keep messages and forms within those of Teams, in characters.

/** A message has at most 50,000 characters of JSON, in which an escaped character can become three. */
export const messageCharacters = 16_000
/** The text in a form: an activity has at most 100 KB. */
export const bodyCharacters = 15_000
