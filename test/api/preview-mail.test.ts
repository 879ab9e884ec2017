import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { addMember, NewMember } from '../../src/features/members/index.ts'
import { previewEmailQueue } from '../../src/features/previews/index.ts'
import { createLog } from '../../src/lib/log.ts'
import { capturingTransport, type MailTransport, smtpTransport } from '../../src/lib/mail.ts'
import { startMailer } from '../../src/lib/mailer.ts'
import { parseInput } from '../../src/lib/parse.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { blockOf, newsletterOf, workerOf } from '../support/newsletters.ts'
import { type MailServer, startMailServer } from '../support/smtp.ts'

let app: TestApp
let clock = Date.parse('2026-11-20T09:00:00Z')
const now = () => new Date(clock)
const minutes = (many: number) => {
  clock += many * 60_000
}
const open: (() => Promise<void>)[] = []
beforeAll(async () => {
  app = await startApp({ now })
})
afterAll(() => app.close())
afterEach(async () => {
  while (open.length > 0) await open.pop()?.()
  await app.sql`delete from previews`
})

const from = { name: 'Tidings', address: 'news@acme.example' }
const logLines: string[] = []
const log = createLog('debug', { write: (line) => logLines.push(line) })

/** Sends what is queued; looks into the queue every few milliseconds if told to. */
function mailer(mail: MailTransport, pollMs?: number): void {
  const queues = [previewEmailQueue(app.sql)]
  const { stop } = startMailer({ sql: app.sql, queues, mail, log, now, ...(pollMs && { pollMs }) })
  open.push(stop)
}

async function mailServer(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options)
  open.push(server.close)
  return server
}

/** Queues a preview for so many new members by the API; gives their addresses. */
async function queue(
  many: number,
  changes: Record<string, unknown> = {},
  note?: string,
): Promise<string[]> {
  const team = await app.team()
  const call = await workerOf(app, team)
  const recipients: string[] = []
  for (let n = 1; n <= many; n++) {
    const person = parseInput(NewMember, {
      email: `m${n}@${team.slug}.example`,
      name: `Member ${n}`,
    })
    recipients.push((await addMember(app.sql, now, team.id, person)).email)
  }
  const path = await newsletterOf(
    call,
    [await blockOf(call, { title: 'Ünïcode wins 🎉' })],
    changes,
  )
  const { status, text } = await call('POST', `${path}/send_preview`, { recipients, note })
  if (status !== 202) throw new Error(text)
  return recipients
}

interface MailState {
  id: string
  status: string
  attempts: number
  wait_minutes: number
  last_error: string | null
}

/** The state of a queued mail once it is as wanted. */
async function stateWhen(
  recipient = '',
  wanted: (state: MailState) => boolean,
): Promise<MailState> {
  for (;;) {
    const [state] = await app.sql<MailState[]>`
      select id, status, attempts, last_error,
        (extract(epoch from due_at - ${now()}) / 60)::float8 as wait_minutes
      from preview_emails where recipient = ${recipient}`
    if (state && wanted(state)) return state
  }
}

describe('a mail', () => {
  test('leaves at once and reads as it was meant', async () => {
    const server = await mailServer()
    mailer(smtpTransport(server.url, from))
    const subject_line = 'Größe =?utf-8?B?DQpCY2M6IHZAZXZpbC5leGFtcGxl?= 🎉'
    const [recipient = ''] = await queue(1, { subject_line }, 'What do you <i>think</i>?')
    await server.received(1)
    const [mail] = server.mails
    expect(mail?.envelope).toEqual({ from: from.address, to: [recipient] })
    expect(mail?.from?.value).toEqual([from])
    expect(mail?.to).toMatchObject({ value: [{ address: recipient, name: '' }] })
    expect(mail?.subject).toBe(`[Preview] ${subject_line}`)
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(mail?.messageId).toMatch(/^<ml_[0-9a-f]{32}@acme\.example>$/)
    expect(mail?.html).toContain('What do you &lt;i&gt;think&lt;/i&gt;?')
    expect(mail?.html).toContain('Ünïcode wins 🎉')
    expect(mail?.text).toContain('What do you <i>think</i>?')
    expect(mail?.text).toContain('Ünïcode wins 🎉')
    expect(mail?.attachments).toEqual([])
    await stateWhen(recipient, ({ status }) => status === 'sent')
  })

  test('has one subject and no header that a title brought along', async () => {
    const server = await mailServer()
    mailer(smtpTransport(server.url, from))
    const subjects = [
      '=?utf-8?B?DQpCY2M6IHZAZXZpbC5leGFtcGxl?=',
      `${'=?utf-8?Q?=0D=0ABcc:_v@evil.example?= '.repeat(6)}end`,
      'Bcc: v@evil.example',
      'x'.repeat(255),
      '👩‍👩‍👧‍👦 =?'.repeat(20).trim(),
    ]
    for (const subject_line of subjects) await queue(1, { subject_line })
    await server.received(subjects.length)
    expect(server.mails.map(({ subject }) => subject).toSorted()).toEqual(
      subjects.map((subject) => `[Preview] ${subject}`).toSorted(),
    )
    for (const { raw, envelope } of server.mails) {
      const [head = ''] = raw.split('\r\n\r\n')
      expect(head.match(/^subject:/gim)?.length).toBe(1)
      expect(head).not.toMatch(/^(?:bcc|cc):/im)
      expect(envelope.to.length).toBe(1)
      for (const line of raw.split('\r\n')) expect(line.length).toBeLessThan(998)
    }
  })

  test('goes to each recipient once, also when several processes send', async () => {
    const server = await mailServer()
    const recipients = await queue(40)
    for (let n = 0; n < 3; n++) mailer(smtpTransport(server.url, from))
    await server.received(40)
    expect(server.mails.flatMap(({ envelope }) => envelope.to).toSorted()).toEqual(
      recipients.toSorted(),
    )
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(40)
    await stateWhen(recipients[0], ({ status }) => status === 'sent')
  })

  test('lies in the outbox when there is no mail server', async () => {
    mailer(capturingTransport(app.sql, now))
    const [recipient = ''] = await queue(1)
    const { id } = await stateWhen(recipient, ({ status }) => status === 'sent')
    const [captured] =
      await app.sql`select id, subject, text from captured_emails where recipient = ${recipient}`
    expect(captured).toMatchObject({ id, subject: '[Preview] What November brought' })
  })
})

describe('a mail server', () => {
  test('that is down is tried again, later each time, until it takes the mail once', async () => {
    const { port, url, close } = await startMailServer()
    await close()
    mailer(smtpTransport(url, from), 5)
    const [recipient = ''] = await queue(1)
    for (const [attempts, wait] of [1, 5, 15, 60, 180].entries()) {
      const failed = await stateWhen(
        recipient,
        (state) => state.attempts === attempts + 1 && state.wait_minutes === wait,
      )
      expect(failed.status).toBe('queued')
      minutes(wait)
    }
    await stateWhen(
      recipient,
      ({ attempts, wait_minutes }) => attempts === 6 && wait_minutes === 360,
    )
    const server = await mailServer({ port })
    minutes(360)
    await server.received(1)
    await stateWhen(recipient, ({ status }) => status === 'sent')
    expect(server.mails.length).toBe(1)
  })

  test('that never comes back ends the matter after a day', async () => {
    const { url, close } = await startMailServer()
    await close()
    mailer(smtpTransport(url, from), 5)
    const [recipient = ''] = await queue(1)
    for (const [attempts, wait] of [1, 5, 15, 60, 180, 360, 720].entries()) {
      await stateWhen(
        recipient,
        (state) => state.attempts === attempts + 1 && state.wait_minutes === wait,
      )
      minutes(wait)
    }
    const given = await stateWhen(recipient, ({ status }) => status === 'failed')
    expect(given.attempts).toBe(8)
    expect(given.last_error).toContain('ECONNREFUSED')
  })

  test('that refuses one recipient for good is not asked again, and the others get theirs', async () => {
    const server = await mailServer({
      refuse: (recipient) => {
        if (recipient.startsWith('m1@')) return { responseCode: 550, message: 'no such mailbox' }
        return recipient.startsWith('m2@') ? { responseCode: 451, message: 'try later' } : null
      },
    })
    mailer(smtpTransport(server.url, from), 5)
    const [unknown, busy, fine] = await queue(3)
    await stateWhen(fine, ({ status }) => status === 'sent')
    const refused = await stateWhen(unknown, ({ status }) => status === 'failed')
    expect([refused.attempts, refused.last_error]).toEqual([1, expect.stringContaining('550')])
    const waiting = await stateWhen(busy, ({ wait_minutes }) => wait_minutes === 1)
    expect(waiting.status).toBe('queued')
    for (const line of logLines) expect(line).not.toContain('@team-')
  })
})

test('what a dead process was sending goes out under the same Message-ID', async () => {
  const held = Promise.withResolvers<string>()
  const death = Promise.withResolvers<void>()
  mailer({
    send({ id }) {
      held.resolve(id)
      return death.promise
    },
  })
  const [recipient = ''] = await queue(1)
  const id = await held.promise
  const server = await mailServer()
  mailer(smtpTransport(server.url, from), 5)
  const [later = ''] = await queue(1)
  await stateWhen(later, ({ status }) => status === 'sent')
  expect(server.mails.map(({ envelope }) => envelope.to)).toEqual([[later]])
  minutes(10)
  await stateWhen(recipient, ({ status }) => status === 'sent')
  expect(server.mails.map(({ envelope }) => envelope.to)).toEqual([[later], [recipient]])
  expect(server.mails[1]?.messageId).toBe(`<${id}@acme.example>`)
  // Its last word, should it still come, changes nothing.
  death.reject(new Error('too late'))
  await open.shift()?.()
  expect(await stateWhen(recipient, () => true)).toMatchObject({ status: 'sent', attempts: 2 })
})
