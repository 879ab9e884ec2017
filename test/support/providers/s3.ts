import { createHash, createHmac } from 'node:crypto'

const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }

export interface FakeS3 {
  /** The settings of a client of the bucket `tidings`. */
  settings: {
    bucket: string
    accessKeyId: string
    secretAccessKey: string
    endpoint: string
    region: string
  }
  /** The objects by key. */
  objects: Map<string, Uint8Array>
  /** The number of listings that clients asked for. */
  readonly listings: number
  /** Every request after so many more fails, so that an upload can break off in the middle. */
  requestsLeft: number
  close(): Promise<void>
}

/**
 * An S3-compatible store with one bucket. It checks signatures (AWS Signature Version 4), accepts
 * uploads in one or several parts, and lists `pageSize` objects at a time.
 */
export function startS3({ pageSize = 1000 }: { pageSize?: number } = {}): FakeS3 {
  const objects = new Map<string, Uint8Array>()
  const uploads = new Map<string, Map<number, Uint8Array>>()
  let listings = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: 2 ** 30,
    async fetch(request) {
      const { pathname, searchParams: query } = new URL(request.url)
      const refusal = refusalOf(request)
      if (refusal !== null) return problem(403, refusal)
      const key = decodeURIComponent(pathname.replace(/^\/tidings\/?/, ''))
      const body = new Uint8Array(await request.arrayBuffer())
      if (s3.requestsLeft-- <= 0) return problem(503, 'ServiceUnavailable')
      if (request.method === 'POST' || query.has('uploadId')) {
        return multipart(request.method, key, query, body)
      }
      switch (request.method) {
        case 'PUT':
          objects.set(key, body)
          return new Response(null, { headers: { etag: '"1"' } })
        case 'DELETE':
          objects.delete(key)
          return new Response(null, { status: 204 })
        default:
          return query.has('list-type') ? list(query) : read(key)
      }
    },
  })

  function read(key: string): Response {
    const object = objects.get(key)
    return object ? new Response(new Blob([new Uint8Array(object)])) : problem(404, 'NoSuchKey')
  }

  function list(query: URLSearchParams): Response {
    listings++
    const prefix = query.get('prefix') ?? ''
    const after = query.get('start-after') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after)
    const page = keys.toSorted().slice(0, pageSize)
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>2020-01-01T00:00:00.000Z</LastModified></Contents>`,
    )
    const more = keys.length > page.length
    return new Response(
      `<ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join('')}</ListBucketResult>`,
    )
  }

  function multipart(
    method: string,
    key: string,
    query: URLSearchParams,
    body: Uint8Array,
  ): Response {
    const id = query.get('uploadId') ?? crypto.randomUUID()
    const parts = uploads.get(id) ?? new Map<number, Uint8Array>()
    uploads.set(id, parts)
    if (method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body)
      return new Response(null, { headers: { etag: `"${parts.size}"` } })
    }
    if (method === 'DELETE') return new Response(null, { status: 204 })
    if (query.has('uploads')) {
      return new Response(
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    const inOrder = [...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part)
    objects.set(key, new Uint8Array(Buffer.concat(inOrder)))
    return new Response(
      '<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>',
    )
  }

  const s3: FakeS3 = {
    settings: {
      bucket: 'tidings',
      ...credentials,
      region: 'eu-central-1',
      endpoint: `http://127.0.0.1:${server.port}`,
    },
    objects,
    get listings() {
      return listings
    },
    requestsLeft: Number.POSITIVE_INFINITY,
    close: () => server.stop(true),
  }
  return s3
}

const problem = (status: number, code: string) =>
  new Response(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, { status })

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Why S3 refuses a request by its signature, or null. */
function refusalOf(request: Request): string | null {
  const pattern =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, *SignedHeaders=([^,]+), *Signature=(\w+)/
  const [, id, day = '', region = '', signed = '', signature] =
    pattern.exec(request.headers.get('authorization') ?? '') ?? []
  if (id !== credentials.accessKeyId) return 'InvalidAccessKeyId'
  const url = new URL(request.url)
  const query = [...url.search.slice(1).split('&')].filter((part) => part !== '').toSorted()
  const headers = signed.split(';').map((name) => `${name}:${request.headers.get(name)?.trim()}\n`)
  const canonical = [
    request.method,
    url.pathname,
    query.map((part) => (part.includes('=') ? part : `${part}=`)).join('&'),
    headers.join(''),
    signed,
    request.headers.get('x-amz-content-sha256'),
  ].join('\n')
  const time = request.headers.get('x-amz-date')
  const scope = `${day}/${region}/s3/aws4_request`
  const hash = createHash('sha256').update(canonical).digest('hex')
  const secret = `AWS4${credentials.secretAccessKey}`
  const key = [region, 's3', 'aws4_request'].reduce<Buffer>(hmac, hmac(secret, day))
  const expected = hmac(key, ['AWS4-HMAC-SHA256', time, scope, hash].join('\n')).toString('hex')
  return expected === signature ? null : 'SignatureDoesNotMatch'
}
