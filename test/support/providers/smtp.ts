import { text } from 'node:stream/consumers'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

interface ReceivedMail extends ParsedMail {
  /** The bytes as they came, for what a parser would hide. */
  raw: string
  envelope: { from: string; to: string[] }
}

export interface MailServer {
  url: string
  port: number
  mails: ReceivedMail[]
  /** Resolves when so many mails have come in all. */
  received(many: number): Promise<void>
  close(): Promise<void>
}

/** What the server says to a recipient it does not take. */
export type Refusal = (recipient: string) => { responseCode: number; message: string } | null

/** A real SMTP server on loopback. */
export async function startMailServer({
  isUp = () => true,
  refuse = () => null,
  login,
}: {
  /** False while it drops all connections. */
  isUp?: () => boolean
  refuse?: Refusal
  /** With whom it accepts emails; without it, from everybody. */
  login?: { user: string; password: string }
} = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const waiting: { many: number; resolve: () => void }[] = []
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: login === undefined ? ['AUTH', 'STARTTLS'] : ['STARTTLS'],
    onAuth({ username, password }, _session, done) {
      const isRight = username === login?.user && password === login?.password
      if (isRight) done(null, { user: username })
      else done(Object.assign(new Error('wrong password'), { responseCode: 535 }))
    },
    onRcptTo({ address }, _session, done) {
      const refusal = refuse(address)
      done(refusal && Object.assign(new Error(refusal.message), refusal))
    },
    async onData(stream, { envelope }, done) {
      const raw = await text(stream).catch(() => null)
      // The client has gone in the middle of the email.
      if (raw === null) return
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const to = envelope.rcptTo.map(({ address }) => address)
      mails.push({ ...(await simpleParser(raw)), raw, envelope: { from, to } })
      for (const { many, resolve } of waiting) if (mails.length >= many) resolve()
      done()
    },
  })
  server.server.prependListener('connection', (socket) => {
    if (!isUp()) socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    received: (many) =>
      new Promise((resolve) => {
        if (mails.length >= many) resolve()
        else waiting.push({ many, resolve })
      }),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
