const english = {
  contents: 'In this issue',
  readMore: 'Read more',
  vote: 'Vote',
  moreNews: 'More news',
  share: 'Share your news',
  view: 'View in browser',
  by: (author: string) => `By ${author}`,
  minutes: (count: number) => `${count}\u00a0min\u00a0read`,
}

/** The words that a newsletter adds to what people wrote. */
export type Words = typeof english

/** The words in a language (BCP 47); English for a language that has none yet. */
export function wordsIn(_language: string): Words {
  return english
}
