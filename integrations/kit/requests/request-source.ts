import * as v from 'valibot'
import type { RawRequest } from './received.ts'
import { jsonOf, readObject, strictUtf8 } from './webhook-request.ts'

const Repository = v.union([
  v.pipe(
    v.object({ repository: v.object({ full_name: v.string() }) }),
    v.transform(({ repository }) => repository.full_name),
  ),
  // Bitbucket Data Center has no full name.
  v.pipe(
    v.object({
      repository: v.object({ slug: v.string(), project: v.object({ key: v.string() }) }),
    }),
    v.transform(({ repository: { project, slug } }) => `${project.key}/${slug}`),
  ),
  v.pipe(
    v.object({ project: v.object({ path_with_namespace: v.string() }) }),
    v.transform(({ project }) => project.path_with_namespace),
  ),
])

const Channel = v.pipe(
  v.object({ channel_id: v.string() }),
  v.transform(({ channel_id }) => channel_id),
)

/** The repository of a request, such as `acme/web`, which is not verified yet. */
export const repositoryOf = (request: RawRequest): string | undefined => read(Repository, request)

/** The channel of a request that names it in `channel_id`, which is not verified yet. */
export const channelOf = (request: RawRequest): string | undefined => read(Channel, request)

function read(
  schema: v.GenericSchema<unknown, string>,
  { headers, body }: RawRequest,
): string | undefined {
  const text = strictUtf8(body) ?? ''
  const contentType = headers.get('content-type')
  const fields =
    readObject(jsonOf(text, contentType)) ?? Object.fromEntries(new URLSearchParams(text))
  const parsed = v.safeParse(schema, fields)
  return parsed.success ? parsed.output : undefined
}
