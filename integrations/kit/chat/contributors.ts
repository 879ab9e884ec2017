/** A person of a chat who has to do with an item. */
interface Contributor {
  /** The id of the person in the chat. */
  user: string
  /** `sender`: saved it. `author`: wrote it. `recipient`: is thanked in it. */
  role: 'sender' | 'author' | 'recipient'
}

/** The people who have to do with the blocks of an event. */
export interface Contributors {
  contributors: Contributor[]
  /** Whether the content comes from a private conversation, so that no channel shows it for a review. */
  fromPrivate: boolean
  /** The id of the message with the question to which the event replies. */
  promptId?: string
  /** The id of the text to the bot that the form contained, which is in a draft now. */
  unreadId?: string
}

/** The people of a stored event, as an adapter knows them. */
interface People {
  /** Who saved the item. */
  user: string
  /** Who wrote it, when it is another person. */
  author?: string | undefined
  /** Whom kudos thank. */
  thanked: Iterable<string>
  isPrivate: boolean
  prompt?: string | undefined
  unread_id?: string | undefined
}

/** Who gets messages about an item: the person who saved it, its author, and the people whom kudos thank. */
export function contributorsOf({
  user,
  author = user,
  thanked,
  isPrivate,
  prompt,
  unread_id,
}: People): Contributors {
  return {
    contributors: [
      { user, role: 'sender' },
      ...(author === user ? [] : [{ user: author, role: 'author' as const }]),
      ...[...thanked].map((id) => ({ user: id, role: 'recipient' as const })),
    ],
    fromPrivate: isPrivate,
    ...(prompt !== undefined && { promptId: prompt }),
    ...(unread_id !== undefined && { unreadId: unread_id }),
  }
}
