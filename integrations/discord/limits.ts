// Limits of Discord, in characters.

/** https://docs.discord.com/developers/resources/message#create-message */
export const messageCharacters = 2_000

// https://docs.discord.com/developers/components/reference
/** All texts of a message with components together. */
export const textCharacters = 4_000
export const labelCharacters = 80
export const urlCharacters = 512
/** A field of a form. */
export const inputCharacters = 4_000
export const descriptionCharacters = 100
export const idCharacters = 100
