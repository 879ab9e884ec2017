import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { withEmbeddedImages } from '../../../src/features/images/index.ts'
import { addMember, NewMember, removeMember } from '../../../src/features/members/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { emailJobs, startEmails } from '../../../src/jobs/emails.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { createLog } from '../../../src/lib/log.ts'
import {
  capturingTransport,
  type MailTransport,
  smtpTransport,
} from '../../../src/lib/mail/mail.ts'
import { parseInput } from '../../../src/lib/parse.ts'
import { startQueue, type Workers } from '../../../src/lib/queue/index.ts'
import { createEncryption } from '../../../src/lib/secrets/encryption.ts'
import { startApp, type TestApp, testSecret } from '../../support/app.ts'
import { signedIn } from '../../support/console.ts'
import { insertStatements } from '../../support/database/insert-statements.ts'
import { followLive } from '../../support/live.ts'
import { blockOf, newsletterOf, unlimitedClient } from '../../support/newsletters.ts'
import { type MailServer, startMailServer } from '../../support/providers/smtp.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let at = new Date('2026-11-20T09:00:00Z')
const now = () => at
const open: (() => Promise<void>)[] = []
beforeAll(async () => {
  app = await startApp({ now })
})
afterAll(() => app.close())
afterEach(async () => {
  while (open.length > 0) await open.pop()?.()
  await app.sql`delete from previews`
  await app.sql`delete from pgboss.job where name = 'send-preview-email'`
})

/** A port on which nothing listens, and that no other test gets. */
const noServer = 'smtp://127.0.0.1:1'
const from = { name: 'Tidings', address: 'news@acme.example' }
const logLines: string[] = []
const log = createLog('debug', { write: (line) => logLines.push(line) })

/** Sends what is queued, as a process of its own does. */
async function sender(mail: MailTransport): Promise<Workers> {
  const database = app.database.address
  const settings = { database, types: emailJobs, log, supervise: true, pollSeconds: 0.5 }
  const queue = await startQueue(settings)
  const encryption = createEncryption(testSecret)
  const emails = await startEmails({
    ...{ sql: app.sql, queue, encryption, mail, log, now },
    ...{ baseUrl: 'http://tidings.test', passwordSignIn: true },
  })
  open.push(async () => {
    await emails.stop()
    await queue.stop()
  })
  return emails
}

async function mailServer(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options)
  open.push(server.close)
  return server
}

/** Queues a preview for so many new members by the API; gives their addresses. */
const queue = async (
  many: number,
  changes: Record<string, unknown> = {},
  note?: string,
): Promise<string[]> => (await queueIn(await app.team(), many, changes, note)).recipients

async function queueIn(
  team: Team,
  many: number,
  changes: Record<string, unknown> = {},
  note?: string,
) {
  const call = await unlimitedClient(app, team)
  const recipients: string[] = []
  for (let n = 1; n <= many; n++) {
    const person = parseInput(NewMember, {
      email: `m${n}@${team.slug}.example`,
      name: `Member ${n}`,
    })
    recipients.push((await addMember(systemContext({ sql: app.sql, now }, team.id), person)).email)
  }
  const path = await newsletterOf(
    call,
    [await blockOf(call, { title: 'Ünïcode wins 🎉' })],
    changes,
  )
  const send = async (addresses: readonly string[]) => {
    const body = { recipients: addresses, note }
    const { status, text } = await call('POST', `${path}/send_preview`, body)
    if (status !== 202) throw new Error(text)
  }
  await send(recipients)
  return { recipients, path, send }
}

interface EmailState {
  id: string
  status: string
  last_error: string | null
  job: string
  retries: number
  wait_minutes: number
  output: string
}

/** The state of a queued email and of its job, once it is as wanted. */
const stateWhen = (recipient = '', wanted: (state: EmailState) => boolean): Promise<EmailState> =>
  until(async () => {
    const [state] = await app.sql<EmailState[]>`
      select e.id, e.status, e.last_error, j.state as job, j.retry_count as retries,
        (extract(epoch from j.start_after - now()) / 60)::float8 as wait_minutes,
        j.output::text as output
      from preview_emails e
      join pgboss.job j on j.name = 'send-preview-email' and j.data->>'emailId' = e.id
      where e.recipient = ${recipient}`
    return state && wanted(state) && state
  })

/** The state after a failed attempt; its delay is stored in a statement of its own. */
const stateAfterFailure = (recipient = '', attempt = 0) =>
  stateWhen(
    recipient,
    ({ job, retries, wait_minutes }) =>
      job === 'retry' && retries === attempt && wait_minutes > 0.5,
  )

/** Makes whatever waits for a later attempt due at once. */
const hurry = () => app.sql`update pgboss.job set start_after = now() where state = 'retry'`

describe('A preview email', () => {
  test('a preview email is sent at once with its HTML and text', async () => {
    const server = await mailServer()
    await sender(smtpTransport(server.url, from))
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

  test('a preview email has one subject and no header from a title', async () => {
    const server = await mailServer()
    await sender(smtpTransport(server.url, from))
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

  test('each recipient gets a preview email once, also when several processes send', async () => {
    const server = await mailServer()
    const recipients = await queue(40)
    for (let n = 0; n < 3; n++) await sender(smtpTransport(server.url, from))
    await server.received(40)
    expect(server.mails.flatMap(({ envelope }) => envelope.to).toSorted()).toEqual(
      recipients.toSorted(),
    )
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(40)
    await stateWhen(recipients[0], ({ status }) => status === 'sent')
  })

  test('a preview to fifty members takes one statement for their emails and one for the jobs', async () => {
    const { recipients, send } = await queueIn(await app.team(), 50)
    const added = { table: 'preview_emails', queue: 'send-preview-email' }
    expect(await insertStatements(app.sql, added, () => send(recipients))).toBe(2)
  })

  test('a preview email is captured when no mail server is configured', async () => {
    await sender(capturingTransport(app.sql, now))
    const [recipient = ''] = await queue(1)
    const { id } = await stateWhen(recipient, ({ status }) => status === 'sent')
    const [captured] =
      await app.sql`select id, subject, text from captured_emails where recipient = ${recipient}`
    expect(captured).toMatchObject({ id, subject: '[Preview] What November brought' })
  })
})

describe('A mail server', () => {
  test('a mail server that does not respond is tried again, later each time, until it accepts the email once', async () => {
    let isUp = false
    const server = await mailServer({ isUp: () => isUp })
    await sender(smtpTransport(server.url, from))
    const [recipient = ''] = await queue(1)
    for (const attempt of [0, 1, 2, 3, 4]) {
      const failed = await stateAfterFailure(recipient, attempt)
      expect(failed.wait_minutes).toBeGreaterThan(2 ** attempt - 0.5)
      expect(failed.wait_minutes).toBeLessThanOrEqual(2 ** (attempt + 1))
      expect(failed.status).toBe('queued')
      expect(failed.last_error).toStartWith('The mail server could not be reached')
      if (attempt < 4) await hurry()
    }
    isUp = true
    await hurry()
    await server.received(1)
    await stateWhen(recipient, ({ status }) => status === 'sent')
    expect(server.mails.length).toBe(1)
  })

  test('a mail server that never responds ends the job and the email as failed after the last attempt', async () => {
    await sender(smtpTransport(noServer, from))
    const [recipient = ''] = await queue(1)
    await stateAfterFailure(recipient)
    await app.sql`
      update pgboss.job set retry_count = retry_limit - 1, start_after = now() where state = 'retry'`
    const failed = await stateWhen(recipient, ({ job }) => job === 'failed')
    expect(failed.status).toBe('failed')
    expect(failed.output).toContain('The mail server could not be reached')
  })

  test('an email whose images cannot be read says so, and is sent when they can', async () => {
    const server = await mailServer()
    let isReadable = false
    const read = async (name: string) => {
      if (!isReadable) throw Object.assign(new Error('connect'), { code: 'ConnectionRefused' })
      return await app.images.storage.read(name)
    }
    const images = { ...app.images, storage: { ...app.images.storage, read } }
    await sender(withEmbeddedImages(smtpTransport(server.url, from), images))
    const cover_image_url = `${app.images.baseUrl}/media/${'a'.repeat(64)}.png`
    const [recipient = ''] = await queue(1, { cover_image_url })
    const { last_error } = await stateAfterFailure(recipient)
    expect(last_error).toBe('The images of the email could not be read from where they are stored.')
    expect(server.mails).toHaveLength(0)
    isReadable = true
    await hurry()
    await server.received(1)
  })

  test('a mail server that refuses one recipient is not asked again, and the others get their email', async () => {
    const server = await mailServer({
      refuse: (recipient) => {
        const message = `no mailbox ${recipient}`
        if (recipient.startsWith('m1@')) return { responseCode: 550, message }
        return recipient.startsWith('m2@') ? { responseCode: 451, message } : null
      },
    })
    await sender(smtpTransport(server.url, from))
    const [unknown, busy, fine] = await queue(3)
    await stateWhen(fine, ({ status }) => status === 'sent')
    const refused = await stateWhen(unknown, ({ job }) => job === 'failed')
    expect([refused.status, refused.retries]).toEqual(['failed', 0])
    expect(refused.last_error).toBe('The mail server refused the email (550).')
    const waiting = await stateWhen(busy, ({ job }) => job === 'retry')
    expect(waiting.status).toBe('queued')
    // The server's own text repeats the address: neither the log nor the job contains it.
    for (const text of [...logLines, refused.output, waiting.output]) {
      expect(text).not.toContain('@team-')
    }
  })
})

test('the page that sends previews names the people to whom the last preview could not be delivered, with the reason', async () => {
  let isKnown = false
  const server = await mailServer({
    refuse: (recipient) =>
      recipient.startsWith('m1@') && !isKnown ? { responseCode: 550, message: 'unknown' } : null,
  })
  await sender(smtpTransport(server.url, from))
  const team = await app.team()
  const { recipients, path, send } = await queueIn(team, 2)
  const [refused = '', accepted = ''] = recipients
  await stateWhen(refused, ({ job }) => job === 'failed')
  await stateWhen(accepted, ({ status }) => status === 'sent')
  const editor = await signedIn(app, team, 'editor')
  const undelivered = async (page = path) =>
    /<section[^>]*id="undelivered".*?<\/section>/s.exec(
      (await editor.get(`${page}/preview`)).html,
    )?.[0] ?? ''
  const notice = await undelivered()
  expect(notice).toContain(refused)
  expect(notice).toContain('The mail server refused the email (550).')
  expect(notice).toContain('2026')
  expect(notice).not.toContain(accepted)
  const call = await unlimitedClient(app, team)
  expect(await undelivered(await newsletterOf(call))).toBe('')
  isKnown = true
  at = new Date(at.getTime() + 60_000)
  await send([refused])
  await server.received(2)
  expect(await undelivered()).toBe('')
})

test('a preview that was not delivered, or not yet, is shown to editors on the open page of its newsletter and in the list, until it is delivered', async () => {
  let isUp = false
  const codes: Record<string, number> = { 'm1@': 550, 'm2@': 450 }
  const server = await mailServer({
    refuse: (recipient) => {
      const responseCode = isUp ? undefined : codes[recipient.slice(0, 3)]
      return responseCode ? { responseCode, message: 'no' } : null
    },
  })
  const team = await app.team()
  const { recipients, path, send } = await queueIn(team, 2)
  const [refused = '', busy = ''] = recipients
  const editor = await signedIn(app, team, 'editor')
  const live = await followLive(app.base, editor, path)
  await live.until('event: viewers')
  await sender(smtpTransport(server.url, from))
  // Of each of the two emails.
  await live.until(/(?:event: posts.*){2}/s)
  await stateWhen(refused, ({ job }) => job === 'failed')
  await stateAfterFailure(busy)
  const badge = new RegExp(
    `<a class="badge (\\w+)" href="${path}/preview#undelivered"[^>]*>([^<]+)`,
  )
  const shownOn = async (page: string, who = editor) =>
    badge.exec((await who.get(page)).html)?.slice(1)
  const failed = ['danger', 'Preview not delivered']
  expect([await shownOn(path), await shownOn('/newsletters')]).toEqual([failed, failed])
  const viewer = await signedIn(app, team, 'viewer')
  expect([await shownOn(path, viewer), await shownOn('/newsletters', viewer)]).toEqual([
    ...[undefined, undefined],
  ])
  const { html } = await editor.get(`${path}/preview`)
  expect(html).toMatch(
    new RegExp(`${busy}(?:(?!<li>).)*\\(450\\)(?:(?!<li>).)*Another attempt follows`, 's'),
  )
  expect(html.match(/Another attempt follows/g)).toHaveLength(1)
  at = new Date(at.getTime() + 60_000)
  isUp = true
  await send([refused])
  await until(async () => (await shownOn(path))?.[0] === 'warning')
  expect(await shownOn('/newsletters')).toEqual(['warning', 'Preview not delivered yet'])
  await hurry()
  await live.until(/(?:event: posts.*){3}/s)
  expect([await shownOn(path), await shownOn('/newsletters')]).toEqual([undefined, undefined])
  await live.cancel()
})

test('a person who was removed is not named among those to whom a preview could not be delivered', async () => {
  const server = await mailServer({ refuse: () => ({ responseCode: 550, message: 'unknown' }) })
  await sender(smtpTransport(server.url, from))
  const team = await app.team()
  const { recipients, path } = await queueIn(team, 2)
  const [stays = '', leaves = ''] = recipients
  for (const recipient of recipients) await stateWhen(recipient, ({ job }) => job === 'failed')
  const editor = await signedIn(app, team, 'editor')
  expect((await editor.get(`${path}/preview`)).html).toContain(leaves)
  await removeMember(systemContext({ sql: app.sql, now }, team.id), leaves)
  const { html } = await editor.get(`${path}/preview`)
  expect(html).toContain(stays)
  expect(html).not.toContain(leaves)
})

test('a preview email that waits for the mail server is not sent to a member who was removed meanwhile', async () => {
  let isUp = false
  const server = await mailServer({ isUp: () => isUp })
  await sender(smtpTransport(server.url, from))
  const [stays = '', leaves = ''] = await queue(2)
  for (const recipient of [stays, leaves]) await stateAfterFailure(recipient)
  const [row] = await app.sql<{ id: string }[]>`
    select team_id as id from members where email = ${leaves}`
  await removeMember(systemContext({ sql: app.sql, now }, row?.id ?? ''), leaves)
  isUp = true
  await hurry()
  await stateWhen(leaves, ({ job }) => job === 'completed')
  await stateWhen(stays, ({ job }) => job === 'completed')
  expect(server.mails.map(({ envelope }) => envelope.to)).toEqual([[stays]])
})

test('an email that a dead process was sending is sent by another one with the same Message-ID', async () => {
  const sending = Promise.withResolvers<string>()
  const death = Promise.withResolvers<void>()
  const dead = await sender({
    send({ id }) {
      sending.resolve(id)
      return death.promise
    },
  })
  const [recipient = ''] = await queue(1)
  const id = await sending.promise
  void dead.stop()
  const server = await mailServer()
  await sender(smtpTransport(server.url, from))
  const [later = ''] = await queue(1)
  await stateWhen(later, ({ status }) => status === 'sent')
  expect(server.mails.map(({ envelope }) => envelope.to)).toEqual([[later]])
  await app.sql`
    update pgboss.job set heartbeat_on = now() - interval '2 minutes' where state = 'active'`
  await stateWhen(recipient, ({ status }) => status === 'sent')
  expect(server.mails.map(({ envelope }) => envelope.to)).toEqual([[later], [recipient]])
  expect(server.mails[1]?.messageId).toBe(`<${id}@acme.example>`)
  // A late failure of the dead process changes nothing.
  death.reject(new Error('too late'))
  await open.shift()?.()
  expect(await stateWhen(recipient, () => true)).toMatchObject({ status: 'sent', retries: 1 })
})

test('an email whose process died after several failed attempts is repeated without the delay of a failure', async () => {
  await sender(smtpTransport(noServer, from))
  const [recipient = ''] = await queue(1)
  await stateAfterFailure(recipient)
  await app.sql`
    update pgboss.job set retry_count = 6, state = 'active', heartbeat_on = now() - interval '2 minutes'
    where name = 'send-preview-email'`
  const interrupted = await stateWhen(
    recipient,
    ({ output }) => output?.includes('heartbeat') === true,
  )
  expect(interrupted.wait_minutes).toBeLessThan(1)
})

test('an email that the mail server has accepted is marked as sent once the database accepts changes again, and is not sent twice', async () => {
  const server = await mailServer()
  await app.sql.unsafe(`
    create sequence refused_markings;
    create function refuse_marking() returns trigger language plpgsql as $$ begin
      perform nextval('refused_markings');
      raise exception 'full' using errcode = '53100';
    end $$;
    create trigger refuse_marking before update on preview_emails
      for each row execute function refuse_marking()`)
  let recipient = ''
  try {
    await sender(smtpTransport(server.url, from))
    recipient = (await queue(1))[0] ?? ''
    await server.received(1)
    // The statement has failed before the first repetition; the sequence counts it also after a rollback.
    await until(async () => {
      const [refused] = await app.sql<{ times: number }[]>`
        select last_value::int as times from refused_markings where is_called`
      return (refused?.times ?? 0) > 1
    })
  } finally {
    await app.sql.unsafe('drop function refuse_marking cascade; drop sequence refused_markings')
  }
  await stateWhen(recipient, ({ status, job }) => status === 'sent' && job === 'completed')
  expect(await stateWhen(recipient, () => true)).toMatchObject({ retries: 0 })
  expect(server.mails.length).toBe(1)
})

test('an email that was sent is not sent again when its job was not completed', async () => {
  const server = await mailServer()
  const [recipient = ''] = await queue(1)
  await app.sql`update preview_emails set status = 'sent' where recipient = ${recipient}`
  await sender(smtpTransport(server.url, from))
  await stateWhen(recipient, ({ job }) => job === 'completed')
  expect(server.mails).toEqual([])
})

test('an email and its job are stored in one transaction: without the job there is no email', async () => {
  await app.sql`alter table pgboss.job_common rename to job_away`
  try {
    const refused = await queue(1).catch((error: Error) => error.message)
    expect(refused).toContain('internal_error')
  } finally {
    await app.sql`alter table pgboss.job_away rename to job_common`
  }
  expect(await app.sql`select from preview_emails`).toHaveLength(0)
})
