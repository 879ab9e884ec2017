const sentence = 'The new search is out, twice as fast as before, and finds what people mean. '

/** A short item, as a release or a kudos is. */
export const shortItem = itemOf(`<p>${sentence.repeat(3)}</p>`)

/** 10 KB of prose in paragraphs. */
export const proseItem = itemOf(`<p>${sentence.repeat(10)}</p>`.repeat(13))

/** 10 KB with 450 tags. */
export const tagsItem = itemOf(
  '<p>One <b>bold</b> word in <i>prose</i>. </p>'.repeat(150).padEnd(10_000),
)

function itemOf(body: string): string {
  return JSON.stringify({ title: 'Version 2 is out', body, block_type: 'wins_milestones' })
}
