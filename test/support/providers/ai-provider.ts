import * as v from 'valibot'
import { startApp, type TestApp } from '../app.ts'

const ChatRequest = v.looseObject({
  model: v.string(),
  messages: v.array(v.object({ role: v.string(), content: v.string() })),
})

/** What a provider was asked, as it came over the wire. */
export interface ProviderCall {
  body: v.InferOutput<typeof ChatRequest>
  authorization: string | null
  /** Fires when the asker hangs up. */
  signal: AbortSignal
}

export interface FakeProvider {
  baseUrl: string
  calls: ProviderCall[]
  /** How calls are answered from now on. */
  answer: (call: ProviderCall) => Response | Promise<Response>
  /** How the question for its models is answered from now on. */
  listModels: (request: Request) => Response
  close(): Promise<void>
}

/** A chat completion whose message is `content`, or the JSON of it. */
export function completion(content: unknown): Response {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return Response.json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_795_000_000,
    model: 'test-model',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })
}

/** The chunks of a chat completion, each sent when `next` allows it. */
export function streamedCompletion(
  texts: readonly string[],
  next: (index: number) => Promise<unknown> = () => Promise.resolve(),
): Response {
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_795_000_000,
      model: 'test-model',
      choices: [{ index: 0, delta, finish_reason }],
    })}\n\n`
  async function* chunks() {
    for (const [index, content] of texts.entries()) {
      await next(index)
      yield new TextEncoder().encode(chunk({ role: 'assistant', content }))
    }
    await next(texts.length)
    yield new TextEncoder().encode(`${chunk({}, 'stop')}data: [DONE]\n\n`)
  }
  return new Response(chunks(), {
    headers: { 'content-type': 'text/event-stream' },
  })
}

/** An OpenAI-compatible endpoint on a free port. */
export function startProvider(): FakeProvider {
  const provider: FakeProvider = {
    baseUrl: '',
    calls: [],
    answer: () => completion({ title: 'A win', body: '<p>We did it.</p>' }),
    listModels: () => Response.json({ object: 'list', data: [{ id: 'test-model' }] }),
    close: () => server.stop(true),
  }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/v1/models': { GET: (request) => provider.listModels(request) },
      '/v1/chat/completions': {
        async POST(request) {
          const body = v.parse(ChatRequest, await request.json())
          const authorization = request.headers.get('authorization')
          const call = { body, authorization, signal: request.signal }
          provider.calls.push(call)
          return await provider.answer(call)
        },
      },
    },
    // Where a redirect would lead: a good answer, for somebody who follows.
    fetch: () => completion({ title: 'Elsewhere', body: 'Not for us.' }),
  })
  provider.baseUrl = `http://127.0.0.1:${server.port}/v1`
  return provider
}

/** The service with an AI provider. */
export interface AppWithAi {
  app: TestApp
  provider: FakeProvider
  close(): Promise<void>
}

/** Starts an AI provider, and the service that uses it. */
export async function startAppWithAi(aiDraftsPerMonth: number): Promise<AppWithAi> {
  const provider = startProvider()
  const ai = { baseUrl: provider.baseUrl, apiKey: null, model: 'test-model' }
  const app = await startApp({ ai, aiDraftsPerMonth })
  const close = async () => {
    await app.close()
    await provider.close()
  }
  return { app, provider, close }
}
