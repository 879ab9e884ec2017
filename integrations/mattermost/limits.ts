// Limits of Mattermost.

/**
 * A message, in characters, on servers whose database was created by an old version.
 * Source: https://github.com/mattermost/mattermost/blob/master/server/public/model/post.go
 */
export const messageCharacters = 4_000

// https://github.com/mattermost/mattermost/blob/master/server/public/model/integration_action.go
/** A field of a dialog with one line, in characters. */
export const inputCharacters = 150
/** A field of a dialog with several lines, in characters. */
export const textareaCharacters = 3_000
