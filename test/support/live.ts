import type { Person } from './console.ts'

/** The server-sent events of a newsletter's page, as they arrive. */
export async function followLive(base: string, who: Pick<Person, 'cookies'>, path: string) {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, accept: 'text/event-stream' }
  const response = await fetch(`${base}${path}/live`, { headers, redirect: 'manual' })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    response,
    /** Reads until the text of the events contains `wanted`, or until the connection is closed. */
    async until(wanted: string | RegExp): Promise<string> {
      while (text.search(typeof wanted === 'string' ? RegExp.escape(wanted) : wanted) < 0) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
        if (done) break
        text += value
      }
      return text
    },
    /** Resolves when the server has closed the connection. */
    async closed(): Promise<void> {
      for (;;) if ((await reader?.read())?.done ?? true) return
    },
    cancel: async () => await reader?.cancel(),
  }
}
