import * as v from 'valibot'

/** An id of Notion, with or without hyphens. */
export const NotionId = v.pipe(
  v.string(),
  v.regex(
    /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i,
    'must be an id of 32 letters and digits',
  ),
)

/** The fields that are read of an event: no authors, no workspace and no permissions. */
export const RequestBody = v.object({
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/)),
  type: v.pipe(v.string(), v.regex(/^[a-z_.]{1,60}$/)),
  entity: v.object({ id: NotionId }),
})

/** The stored event. The content of the page is read from Notion when the item is composed. */
export interface PageEvent {
  page_id: string
}

/** The events after which a page can become an item. */
export const pageEvents: ReadonlySet<string> = new Set([
  'page.created',
  'page.properties_updated',
  'page.content_updated',
])

/** The other events of Notion, from @notionhq/client 5.26.0, so that a new one is noticed. */
export const otherEvents: ReadonlySet<string> = new Set(
  `
  comment.created comment.deleted comment.updated data_source.content_updated data_source.created
  data_source.deleted data_source.moved data_source.schema_updated data_source.undeleted
  database.content_updated database.created database.deleted database.moved
  database.schema_updated database.undeleted file_upload.completed file_upload.created
  file_upload.expired file_upload.upload_failed page.deleted page.locked page.moved
  page.transcription_block.transcript_deleted page.undeleted page.unlocked view.created
  view.deleted view.updated
  `
    .trim()
    .split(/\s+/),
)
