// Limits of Slack, in characters.

/** https://docs.slack.dev/reference/block-kit/blocks/header-block */
export const headerCharacters = 150
/** https://docs.slack.dev/reference/block-kit/blocks/section-block */
export const sectionCharacters = 3_000
/** https://docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element */
export const inputCharacters = 3_000
/** https://docs.slack.dev/reference/block-kit/composition-objects/option-object */
export const optionCharacters = 75
