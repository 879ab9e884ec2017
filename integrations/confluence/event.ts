import * as v from 'valibot'

// All fields that are not named here are dropped before anything is stored or logged, such as the key of the person
// who made the change.

/** https://developer.atlassian.com/server/confluence/webhooks/ */
export const RequestBody = v.object({
  event: v.pipe(v.string(), v.regex(/^[a-z_]{1,60}$/)),
  timestamp: v.pipe(v.number(), v.safeInteger()),
})

export const BlogDelivery = v.object({
  blog: v.object({
    id: v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^\d{1,19}$/)),
  }),
})

/** The stored event: the id of the blog post, which has to be read from Confluence. */
export interface BlogEvent {
  action: 'created' | 'updated' | 'removed'
  id: string
}

/** What the events of blog posts mean. */
export const actions: ReadonlyMap<string, BlogEvent['action']> = new Map([
  ['blog_created', 'created'],
  ['blog_restored', 'created'],
  ['blog_updated', 'updated'],
  ['blog_trashed', 'removed'],
  ['blog_removed', 'removed'],
])

/** The kinds of events that create no block: `page_created`, `space_logo_updated` and so on. */
export const isOtherEvent = (name: string): boolean =>
  /^(?:attachment|comment|group|label|page|space|user|relation|content)_/.test(name)
