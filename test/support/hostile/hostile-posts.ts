import type { PostedNewsletter } from '../../../integrations/kit/adapter.ts'
import type { ProviderApi } from '../../../integrations/kit/requests/provider-request.ts'
import { xssVectors } from './xss-vectors.ts'

/** Mentions, links and marks of the chats themselves. */
const chatMarkup = [
  ...['<!channel>', '<!here|here>', '<!everyone>', '<!all>', '&lt;!channel&gt;', '\\<!channel\\>'],
  ...['<@U0MIRA>', '<#C0GENERAL>', '<!subteam^S0TEAM|team>', '<https://evil.example|Tidings>'],
  ...['<javascript:pwned(1)|x>', '<data:text/html,pwned|x>', '\\<javascript:pwned(1)|x\\>'],
  ...['@channel', '@here', '@everyone', '@all', 'x@all', '<@123456789>', '<@&123456789>'],
  ...[
    '[x](data:text/html,pwned)',
    '\\[x](javascript:pwned(1))',
    '[x][y]\n\n[y]: javascript:pwned(1)',
  ],
  ...[
    '<at>everyone</at>',
    '![](https://evil.example/pwned.png)',
    '[Tidings](https://evil.example)',
  ],
  ...['& '.repeat(127), '<'.repeat(255), '*_~`>'.repeat(50), '\\'.repeat(255), '🎉'.repeat(255)],
]

/** Titles and names are one line of at most 255 characters, wherever they are stored. */
export const texts = [...xssVectors, ...chatMarkup].map((text) =>
  [...text.replaceAll(/\p{Cc}/gu, ' ').trim()].slice(0, 255).join(''),
)

/** The texts of one newsletter or home each. */
export const chunks = [
  ...Array.from({ length: Math.ceil(texts.length / 10) }, (_, at) =>
    texts.slice(at * 10, at * 10 + 10),
  ),
  // Each character becomes five in Slack's format, and two in Markdown.
  Array.from({ length: 10 }, () => '&'.repeat(255)),
  Array.from({ length: 10 }, () => '<'.repeat(255)),
]

/** The address of every page that a message may link to. */
export const ownUrl = 'https://tidings.test/page'
export const newsletterOf = (
  headlines: string[],
  title = headlines[0] ?? '',
): PostedNewsletter => ({
  title,
  headlines,
  cover: { url: ownUrl, alt: title },
  url: ownUrl,
})

/** Stands in for the chats: keeps what they are sent. */
export function recorder(user: object = {}) {
  const sent: Record<string, unknown>[] = []
  const provider: ProviderApi = {
    async fetch(url, init) {
      const text = await new Response(init?.body).text()
      const fields = text.startsWith('{')
        ? JSON.parse(text)
        : Object.fromEntries(new URLSearchParams(text))
      if (!String(url).endsWith('users.info')) sent.push(fields)
      return Response.json({ ok: true, ts: '1.1', channel: { id: 'D0MIRA' }, user })
    },
  }
  return { sent, provider }
}
