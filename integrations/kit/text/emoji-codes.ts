import github from 'emojibase-data/en/shortcodes/github.json' with { type: 'json' }
import slack from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' }
import discord from 'emojibase-data/en/shortcodes/joypixels.json' with { type: 'json' }

const characterOf = (codePoints: string): string => {
  const character = String.fromCodePoint(
    ...codePoints.split('-').map((codePoint) => Number.parseInt(codePoint, 16)),
  )
  // A symbol such as ⚠ is a text character unless a variation selector follows it.
  return /^[^\p{Emoji_Presentation}]$/u.test(character) ? `${character}\ufe0f` : character
}

// Slack's names come last, so that they are used where the sets differ.
const characters: ReadonlyMap<string, string> = new Map(
  [github, discord, slack].flatMap((set) =>
    Object.entries(set).flatMap(([codePoints, names]) =>
      [names].flat().map((name): [string, string] => [name, characterOf(codePoints)]),
    ),
  ),
)

// Codes are separate words: `10:30:45` and `std::vec::Vec` contain none.
const separateCodes = /([^\S\n]?)(?<![\p{L}\p{N}:])((?::[a-z0-9_+'-]{1,60}:)+)(?![\p{L}\p{N}:])/giu
const code = /:([a-z0-9_+'-]{1,60}):/gi

/**
 * Replaces emoji codes such as `:tada:` with the emoji. Codes that Slack, GitHub and Discord do not
 * know, such as a workspace's own emoji, are removed with the space before them.
 */
export function replaceEmojiCodes(text: string): string {
  if (!text.includes(':')) return text
  return (
    text
      .replace(separateCodes, replaceCodes)
      // A code that touches a word, such as `done:tada:`, is replaced only when it is known.
      .replace(/:([a-z][a-z_]{2,59}):/g, (whole, name: string) => characters.get(name) ?? whole)
  )
}

function replaceCodes(whole: string, space: string, codes: string): string {
  // A number between colons, such as the middle of a ratio, is not an emoji.
  if (/^:\d+:$/.test(codes) && !characters.has(codes.slice(1, -1))) return whole
  const emoji = codes.replace(code, (_, name: string) => characters.get(name.toLowerCase()) ?? '')
  return emoji === '' ? '' : space + emoji
}
