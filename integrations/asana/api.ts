import * as v from 'valibot'
import type { ProviderApi } from '../kit/requests/provider-request.ts'
import { apiUrl, requestProvider } from '../kit/requests/provider-request.ts'
import { providerText } from '../kit/text/plain-text.ts'
import type { AsanaEvent } from './event.ts'
import type { Settings } from './settings.ts'

const Text = v.nullish(providerText, null)
const Person = v.nullish(v.object({ name: Text }), null)
const Project = v.object({ name: Text, privacy_setting: v.nullish(v.string(), null) })

/** https://developers.asana.com/reference/getstatus */
const StatusUpdate = v.object({
  text: Text,
  html_text: Text,
  status_type: v.nullish(v.string(), null),
  author: Person,
  parent: v.nullish(v.object({ name: Text, permalink_url: Text }), null),
})
export type StatusUpdate = v.InferOutput<typeof StatusUpdate>

/** https://developers.asana.com/reference/gettask */
const Task = v.object({
  name: Text,
  notes: Text,
  html_notes: Text,
  completed: v.nullish(v.boolean(), false),
  resource_subtype: v.nullish(v.string(), null),
  permalink_url: Text,
  assignee: Person,
  projects: v.nullish(v.array(Project), []),
  tags: v.nullish(v.array(v.object({ name: Text })), []),
})
export type Task = v.InferOutput<typeof Task>

const statusFields = 'text,html_text,status_type,author.name,parent.name,parent.permalink_url'
const taskFields =
  'name,notes,html_notes,completed,resource_subtype,permalink_url,assignee.name,projects.name,projects.privacy_setting,tags.name'

/** A status update, or `undefined` when it does not exist or the token may not read it. */
export const readStatusUpdate = (event: AsanaEvent, settings: Settings, provider: ProviderApi) =>
  read({ settings, provider }, `/status_updates/${event.gid}`, statusFields, StatusUpdate)

/** A task, or `undefined` when it does not exist or the token may not read it. */
export const readTask = (event: AsanaEvent, settings: Settings, provider: ProviderApi) =>
  read({ settings, provider }, `/tasks/${event.gid}`, taskFields, Task)

async function read<Schema extends v.GenericSchema>(
  { settings, provider }: { settings: Settings; provider: ProviderApi },
  path: string,
  fields: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | undefined> {
  const {
    api_base_url,
    access_token: [token],
  } = settings
  const url = apiUrl(api_base_url, '/api/1.0', path)
  url.searchParams.set('opt_fields', fields)
  const api = {
    provider,
    name: 'Asana',
    headers: { authorization: `Bearer ${token}` },
    check: 'access_token',
  }
  const response = await requestProvider(api, url, v.object({ data: schema }))
  return response?.data
}
