import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { planEmails } from '../../../src/console/index.ts'
import { runSchedules } from '../../../src/features/newsletter-schedules/index.ts'
import { plannedDateFrom } from '../../../src/features/newsletter-schedules/planned-dates.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { newId } from '../../../src/lib/ids.ts'
import type { OutgoingMail } from '../../../src/lib/mail/mail.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { signedIn } from '../../support/console.ts'
import { insertStatements } from '../../support/database/insert-statements.ts'
import { approvalForm, blockOf, newsletterOf, unlimitedClient } from '../../support/newsletters.ts'
import { until } from '../../support/until.ts'

let app: TestApp
/** The time of the service; null is the system's. */
let at: string | null = null
const sent: OutgoingMail[] = []

beforeAll(async () => {
  app = await startApp({
    mail: { send: async (mail) => void sent.push(mail) },
    now: () => (at === null ? new Date() : new Date(at)),
  })
})
afterEach(() => {
  at = null
})
afterAll(() => app.close())

/** Adds 200 editors whose names come first, and who get no emails, because they have not signed in yet. */
async function addEditors({ id }: Team) {
  const created_at = new Date()
  const rows = Array.from({ length: 200 }, (_, number) => ({
    id: newId('mb', created_at),
    team_id: id,
    name: `Aaron ${number}`,
    email: `aaron${number}@${id}.test`,
    role: 'editor',
    created_at,
  }))
  await app.sql`insert into members ${app.sql(rows)}`
}

async function newTeam() {
  const team = await app.team()
  const call = await unlimitedClient(app, team)
  const admin = await signedIn(app, team, 'admin', { name: 'Ada Quist' })
  const editor = await signedIn(app, team, 'editor', { name: 'Sam Petrov' })
  return { team, call, admin, editor }
}

describe('approvals', () => {
  /** A complete newsletter of a team that requires an approval, changed by the admin last. */
  async function newsletterToApprove() {
    const { team, call, admin, editor } = await newTeam()
    await admin.post('/settings/sending/approval', { required: 'on' })
    const block = await blockOf(call, { title: 'The harbour party' })
    const path = await newsletterOf(call, [block], { title: 'News', subject_line: 'News' })
    await admin.post(path, { title: 'Our news', original_title: 'News' })
    const read = async () => (await call('GET', path)).json.newsletter
    const approve = async (who: typeof admin) =>
      await who.post(`${path}/approval`, await approvalForm(who, path))
    return { team, call, admin, editor, block, path, read, approve }
  }

  test('an approval by a second person is off for a team until an admin requires it', async () => {
    const { call } = await newTeam()
    const path = await newsletterOf(call, [await blockOf(call, {})], { subject_line: 'News' })
    expect((await call('PATCH', path, { status: 'ready' })).status).toBe(200)
  })

  test('an approval by a second person is needed for ready and for sent, in the console and by the API', async () => {
    const { call, admin, path, read } = await newsletterToApprove()
    const refused = await call('PATCH', path, { status: 'ready' })
    expect([refused.status, refused.json.code]).toEqual([409, 'invalid_transition'])
    expect(refused.json.missing).toEqual(['a second person has not approved it as it is'])
    const { version } = await read()
    await admin.post(`${path}/status`, { to: 'ready', version: String(version) })
    expect((await read()).status).toBe('in_progress')
    const { html } = await admin.get(path)
    expect(html).toContain('Ask for approval')
    expect(html).not.toContain('Mark as ready')
  })

  test('an approval by a second person is not given by the person who changed the newsletter or one of its blocks last', async () => {
    const { admin, editor, block, read, approve } = await newsletterToApprove()
    expect((await approve(admin)).status).toBe(403)
    expect((await read()).status).toBe('in_progress')
    await admin.get(`/library/${block}/edit`)
    await editor.post(`/library/${block}/edit`, {
      title: 'The party',
      body: 'On Friday.',
      block_type: 'general',
      event_slug: '',
      publish_after: '',
      version: '1',
    })
    expect((await approve(editor)).status).toBe(403)
    expect((await approve(admin)).status).toBe(303)
    expect((await read()).status).toBe('ready')
  })

  test('an approval by a second person is not given by the author either after a program has changed the newsletter or a block', async () => {
    const { call, admin, editor, block, path, read, approve } = await newsletterToApprove()
    await call('PATCH', path, { preheader_text: 'By a program' })
    await call('POST', `${path}/blocks`, { content_block_id: await blockOf(call, {}) })
    await call('PATCH', `/content_blocks/${block}`, { title: 'By a program' })
    expect((await approve(admin)).status).toBe(403)
    expect((await approve(editor)).status).toBe(303)
    expect((await read()).status).toBe('ready')
  })

  test('an approval by a second person can still be given for a newsletter that was ready before the team required it', async () => {
    const { call, admin, editor } = await newTeam()
    const path = await newsletterOf(call, [await blockOf(call, {})], { subject_line: 'News' })
    await call('PATCH', path, { status: 'ready' })
    await admin.post('/settings/sending/approval', { required: 'on' })
    const exported = await editor.get(`${path}/export`)
    expect(exported.html).toContain('A second person has to approve the newsletter')
    expect(exported.html).not.toContain('I have sent this newsletter')
    expect(exported.html).toContain(`formaction="${path}/approval"`)
    const { status } = await editor.post(`${path}/approval`, await approvalForm(editor, path))
    expect(status).toBe(303)
    const { html } = await editor.get(`${path}/export`)
    expect(html).toContain('I have sent this newsletter')
    expect(html).not.toContain(`formaction="${path}/approval"`)
    expect((await call('PATCH', path, { status: 'sent' })).status).toBe(200)
  })

  test('an approval by a second person makes the newsletter ready, and it can be sent as it was approved', async () => {
    const { call, editor, path, read, approve } = await newsletterToApprove()
    const { location } = await approve(editor)
    expect(location).toBe(`${path}/export`)
    expect((await read()).status).toBe('ready')
    expect((await editor.get(path)).html).toContain('Approved by Sam Petrov')
    expect((await call('PATCH', path, { status: 'sent' })).status).toBe(200)
  })

  test.each([
    ['its title', { title: 'Something else' }],
    ['its introduction together with its status', { intro: '<p>New</p>', status: 'sent' }],
  ])('an approval by a second person ends when %s changes', async (_, change) => {
    const { call, editor, path, read, approve } = await newsletterToApprove()
    await approve(editor)
    await call('PATCH', path, change)
    if ('status' in change) expect((await read()).status).toBe('ready')
    else expect((await read()).status).toBe('in_progress')
    await call('PATCH', path, { title: 'Once more' })
    expect((await call('PATCH', path, { status: 'ready' })).status).toBe(409)
  })

  test('an approval by a second person ends when the text of a block changes', async () => {
    const { call, editor, block, path, read, approve } = await newsletterToApprove()
    await approve(editor)
    await call('PATCH', `/content_blocks/${block}`, { body: 'Other words.' })
    expect((await read()).status).toBe('in_progress')
    expect((await call('PATCH', path, { status: 'ready' })).status).toBe(409)
  })

  test('an approval by a second person ends for readers when the template, the brand or an own template that is deleted changes the email', async () => {
    const { call, editor, path, read, approve } = await newsletterToApprove()
    await call('POST', '/templates', {
      ...{ slug: 'ours', name: 'Ours', description: 'For us' },
      sections: [{ title: 'News', block_types: ['general'] }],
    })
    await call('PATCH', path, { template_slug: 'ours' })
    await approve(editor)
    for (const change of [
      () => call('PATCH', '/templates/ours', { base: 'bold' }),
      () => call('PATCH', '/team', { brand_color: '#aa0000' }),
    ]) {
      await change()
      const refused = await call('PATCH', path, { status: 'sent' })
      expect([refused.status, refused.json.code]).toEqual([409, 'invalid_transition'])
      expect(refused.json.missing[0]).toContain('looks different from what was approved')
      await call('PATCH', path, { status: 'in_progress' })
      await approve(editor)
    }
    expect((await call('DELETE', '/templates/ours')).status).toBe(204)
    expect(await read()).toMatchObject({ status: 'in_progress', template_slug: 'bold' })
    await approve(editor)
    expect((await call('PATCH', path, { status: 'sent' })).status).toBe(200)
  })

  test('an approval by a second person is about the email that the person has seen', async () => {
    const { call, editor, path, read } = await newsletterToApprove()
    const seen = await approvalForm(editor, path)
    await call('PATCH', '/team', { brand_color: '#00aa00' })
    await editor.post(`${path}/approval`, seen)
    expect((await read()).status).toBe('in_progress')
  })

  test('an approval by a second person can be given on a page that was opened before midnight in UTC', async () => {
    at = '2026-01-02T23:50:00Z'
    const { editor, path, read } = await newsletterToApprove()
    const form = await approvalForm(editor, path)
    at = '2026-01-03T00:05:00Z'
    await editor.post(`${path}/approval`, form)
    expect((await read()).status).toBe('ready')
  })

  test('an approval by a second person stays when the same person approves again', async () => {
    const { call, editor, path, read, approve } = await newsletterToApprove()
    const form = await approvalForm(editor, path)
    await approve(editor)
    const { version } = await read()
    await editor.post(`${path}/approval`, { ...form, version: String(version) })
    expect(await read()).toMatchObject({ status: 'ready', version })
    expect((await call('PATCH', path, { status: 'sent' })).status).toBe(200)
  })

  test('an approval by a second person shows who asked for it and what comes next, until it is given', async () => {
    const { call, admin, editor, path, approve } = await newsletterToApprove()
    await admin.post(`${path}/approval/ask`)
    const author = (await admin.get(path)).html
    expect(author).toMatch(
      /You asked for approval <time[^>]*>now<\/time>\. Next, another editor approves it\./,
    )
    expect(author).not.toContain('Not approved yet')
    expect(author).not.toContain('Ask for approval')
    expect((await editor.get(path)).html).toMatch(
      /Ada Quist asked for approval <time[^>]*>now<\/time>\. Read it, then approve it\./,
    )
    await app.sql`
      update newsletters set approval_requested_at = now() - interval '10 minutes'
      where id = ${path.split('/').at(-1) ?? ''}`
    expect((await admin.get(path)).html).toContain('Ask again')
    await approve(editor)
    await call('PATCH', path, { status: 'in_progress' })
    expect((await editor.get(path)).html).toContain('Not approved yet')
  })

  test('an approval by a second person is not asked for while the newsletter has no block, and the page says so', async () => {
    const { admin, call, path, read } = await newsletterToApprove()
    const [{ id }] = (await read()).blocks
    await call('DELETE', `${path}/blocks/${id}`)
    await admin.post(path, { title: 'No news', original_title: 'Our news' })
    const before = (await admin.get(path)).html
    expect(before).toContain('Add a block before you ask for approval.')
    expect(before).not.toContain('Ask for approval')
    const asked = sent.length
    await admin.post(`${path}/approval/ask`)
    expect((await admin.get(path)).html).toMatch(
      /role="status"[^>]*>[^<]*Add a block before you ask for approval\./,
    )
    expect(sent).toHaveLength(asked)
  })

  test('an approval by a second person is not affected by a form without a status, which changes nothing', async () => {
    const { admin, path, read } = await newsletterToApprove()
    const { version } = await read()
    const { status } = await admin.post(`${path}/status`, { version: String(version) })
    expect(status).toBe(422)
    expect(await read()).toMatchObject({ status: 'in_progress', version })
  })

  test('an approval by a second person can be asked for, by an email to the other editors', async () => {
    const { admin, editor, path } = await newsletterToApprove()
    await admin.post(`${path}/approval/ask`)
    const subjects = () =>
      sent.flatMap((mail) => (mail.recipient === editor.email ? mail.subject : []))
    await until(async () => subjects().length > 0)
    expect(subjects()).toEqual(['Please approve: Our news'])
    expect(sent.filter((mail) => mail.recipient === admin.email)).toEqual([])
    expect((await admin.get(path)).html).toContain('1 person is asked for approval.')
    await admin.post(`${path}/approval/ask`)
    expect((await admin.get(path)).html).toContain(
      'Others were asked to approve it a few minutes ago',
    )
    expect(subjects()).toHaveLength(1)
  })

  test('an approval by a second person is also asked of the 201st editor by name', async () => {
    const { team, admin, editor, path } = await newsletterToApprove()
    await addEditors(team)
    await admin.post(`${path}/approval/ask`)
    expect((await admin.get(path)).html).toContain('1 person is asked for approval.')
    await until(async () => sent.some(({ recipient }) => recipient === editor.email))
  })

  test('asking hundreds of editors for an approval takes one statement for their emails and one for the jobs', async () => {
    const { team, admin, path } = await newsletterToApprove()
    await addRecipients(team, 300)
    const added = { table: 'notification_emails', queue: 'send-notification-email' }
    const ask = () => admin.post(`${path}/approval/ask`)
    expect(await insertStatements(app.sql, added, ask)).toBe(2)
    expect((await admin.get(path)).html).toContain('301 people are asked for approval.')
    const asked = () => sent.filter(({ recipient }) => recipient.endsWith(`@${team.id}.test`))
    await until(async () => asked().length === 300)
    expect(new Set(asked().map(({ recipient }) => recipient)).size).toBe(300)
  })
})

/** Adds editors who have signed in. */
async function addRecipients({ id }: Team, number: number) {
  const created_at = new Date()
  const people = Array.from({ length: number }, (_, at) => ({
    id: newId('ac', created_at),
    name: `Zoe ${at}`,
    email: `zoe${at}@${id}.test`,
    created_at,
  }))
  await app.sql`insert into accounts ${app.sql(people.map((one) => ({ ...one, updated_at: created_at })))}`
  const members = people.map(({ id: account_id, ...one }) => {
    return { ...one, id: newId('mb', created_at), account_id, team_id: id, role: 'editor' }
  })
  await app.sql`insert into members ${app.sql(members)}`
}

describe('recurring newsletters', () => {
  const fields = {
    is_recurring: 'on',
    weekday: '5',
    hour: '9',
    time_zone: 'Europe/Berlin',
    lead_days: '2',
    reminder_days: '',
  }
  const runAt = (at: string) =>
    runSchedules({
      sql: app.sql,
      now: () => new Date(at),
      queue: app.forwarder.queue,
      baseUrl: 'http://tidings.test',
      emails: planEmails('http://tidings.test'),
    })

  test('the 201st editor by name gets the email that a recurring newsletter is prepared, and the reminder', async () => {
    const { team, admin, editor } = await newTeam()
    await addEditors(team)
    await admin.post('/settings/sending', { ...fields, reminder_days: '1' })
    const emails = () => sent.filter(({ recipient }) => recipient === editor.email)
    await runAt('2027-01-06T08:00:00Z')
    await until(async () => emails().length === 1)
    await runAt('2027-01-07T08:00:00Z')
    await until(async () => emails().length === 2)
  })

  test('a recurring newsletter is prepared once per planned date, at the hour of the team, with the ready blocks', async () => {
    const { call, admin, editor } = await newTeam()
    await blockOf(call, { title: 'Ready one' })
    await blockOf(call, { title: 'Draft one', status: 'draft' })
    expect((await admin.post('/settings/sending', fields)).status).toBe(303)
    const drafts = async () => (await call('GET', '/newsletters')).json.newsletters
    // 08:59 in Berlin on the Wednesday before Friday, 8 January 2027.
    await runAt('2027-01-06T07:59:00Z')
    expect(await drafts()).toEqual([])
    await Promise.all(['2027-01-06T08:00:00Z', '2027-01-06T08:00:00Z'].map(runAt))
    await runAt('2027-01-07T12:00:00Z')
    expect(await drafts()).toMatchObject([
      { scheduled_date: '2027-01-08', status: 'in_progress', blocks_count: 1 },
    ])
    await runAt('2027-01-13T08:00:00Z')
    expect((await drafts()).map((one: { scheduled_date: string }) => one.scheduled_date)).toEqual([
      '2027-01-15',
      '2027-01-08',
    ])
    await until(async () => sent.filter(({ recipient }) => recipient === editor.email).length >= 2)
    const [first] = sent.filter(({ recipient }) => recipient === editor.email)
    expect(first?.subject).toMatch(/^The draft is prepared: .+, 8 January 2027$/)
    expect(first?.text).toContain('with 1 block')
  })

  test('a recurring newsletter is not prepared for a date for which a newsletter was planned by hand', async () => {
    const { call, admin } = await newTeam()
    await newsletterOf(call, [], { title: 'By hand', scheduled_date: '2027-01-08' })
    await admin.post('/settings/sending', fields)
    for (const day of ['06', '07', '13']) await runAt(`2027-01-${day}T09:00:00Z`)
    const { newsletters } = (await call('GET', '/newsletters')).json
    expect(
      newsletters.map((one: { scheduled_date: string }) => one.scheduled_date).toSorted(),
    ).toEqual(['2027-01-08', '2027-01-15'])
  })

  test('a recurring newsletter is prepared once when the weekday is changed after the draft was prepared, and again a week later', async () => {
    const { call, admin } = await newTeam()
    await admin.post('/settings/sending', fields)
    await runAt('2027-01-06T09:00:00Z')
    await admin.post('/settings/sending', { ...fields, weekday: '4' })
    const dates = async () =>
      (await call('GET', '/newsletters')).json.newsletters
        .map((one: { scheduled_date: string }) => one.scheduled_date)
        .toSorted()
    await runAt('2027-01-06T10:00:00Z')
    expect(await dates()).toEqual(['2027-01-08'])
    await runAt('2027-01-12T10:00:00Z')
    expect(await dates()).toEqual(['2027-01-08', '2027-01-14'])
  })

  test('a recurring newsletter is prepared with the template of the newest newsletter, as one that is created in the console', async () => {
    const { call, admin } = await newTeam()
    const prepared = async (day: string) => {
      await runAt(`${day}T09:00:00Z`)
      return (await call('GET', '/newsletters')).json.newsletters[0].template_slug
    }
    const block = await blockOf(call, { block_type: 'general' })
    await call('POST', '/templates', {
      ...{ slug: 'acme', name: 'Acme', description: 'Ours', base: 'bold' },
      sections: [{ title: 'All the news', block_types: ['general'] }],
    })
    await newsletterOf(call, [], { template_slug: 'acme' })
    await admin.post('/settings/sending', fields)
    expect(await prepared('2027-01-06')).toBe('acme')
    expect((await admin.get('/newsletters/new')).html).toMatch(/value="acme"[^>]*selected/)
    expect((await admin.get(`/library/${block}/html`)).html).toContain('All the news')
    await call('DELETE', '/templates/acme')
    expect(await prepared('2027-01-13')).toBe('bold')
  })

  test('a recurring newsletter is prepared, and blocks have previews, also when the template of the newest newsletter does not exist any more', async () => {
    const { team, call, admin } = await newTeam()
    const block = await blockOf(call)
    await newsletterOf(call, [])
    // What remains when the template is deleted while the newsletter is created.
    await app.sql`update newsletters set template_slug = 'gone' where team_id = ${team.id}`
    expect((await admin.get(`/library/${block}/html`)).status).toBe(200)
    await admin.post('/settings/sending', fields)
    await runAt('2027-01-06T09:00:00Z')
    const { newsletters } = (await call('GET', '/newsletters')).json
    expect(newsletters[0]).toMatchObject({
      scheduled_date: '2027-01-08',
      template_slug: 'clean',
    })
  })

  describe('of every second week', () => {
    /** A team with newsletters on 2, 16 and 30 January 2026. Its methods act on Saturday, 17 January. */
    async function newBiweeklyTeam() {
      at = '2026-01-02T08:00:00Z'
      const { team, call, admin } = await newTeam()
      await call('PATCH', '/team', { newsletter_cadence: 'biweekly' })
      await admin.post('/settings/sending', fields)
      at = '2026-01-17T12:00:00Z'
      const next = async () =>
        /The next draft is for ([^.]+)\./.exec((await admin.get('/settings/sending')).html)?.[1]
      const save = async (changes: Record<string, string>) => {
        await admin.post('/settings/sending', { ...fields, ...changes })
        return await next()
      }
      return { team, call, next, save }
    }

    test('a recurring newsletter of every second week stays in its weeks when its weekday changes, also several times', async () => {
      const { call, next, save } = await newBiweeklyTeam()
      expect(await next()).toBe('Friday, 30 January 2026')
      expect(await save({ weekday: '1' })).toBe('Monday, 26 January 2026')
      expect(await save({ weekday: '7' })).toBe('Sunday, 18 January 2026')
      expect(await save({ weekday: '4' })).toBe('Thursday, 29 January 2026')
      const drafts = async () => (await call('GET', '/newsletters')).json.newsletters
      await runAt('2026-01-20T09:00:00Z')
      expect(await drafts()).toEqual([])
      await runAt('2026-01-27T09:00:00Z')
      expect(await drafts()).toMatchObject([{ scheduled_date: '2026-01-29' }])
      expect(await save({ weekday: '5' })).toBe('Friday, 30 January 2026')
    })

    test('a recurring newsletter of every second week keeps the weeks into which an older version moved it', async () => {
      const { team, next, save } = await newBiweeklyTeam()
      // Older versions changed the weekday only, which moved the weeks of an earlier weekday.
      await app.sql`update newsletter_schedules set weekday = 1 where team_id = ${team.id}`
      expect(await next()).toBe('Monday, 19 January 2026')
      expect(await save({ weekday: '1' })).toBe('Monday, 19 January 2026')
      expect(await save({ weekday: '3' })).toBe('Wednesday, 21 January 2026')
    })

    test('a recurring newsletter of every second week moves by a week when its preparation is switched off and on again', async () => {
      const { save } = await newBiweeklyTeam()
      expect(await save({ is_recurring: '' })).toBeUndefined()
      expect(await save({})).toBe('Friday, 23 January 2026')
      expect(await save({ weekday: '4' })).toBe('Thursday, 22 January 2026')
    })
  })

  test('a recurring newsletter is announced by one email when the draft and the reminder are due on the same day', async () => {
    const { admin, editor } = await newTeam()
    await admin.post('/settings/sending', { ...fields, reminder_days: '3' })
    for (const day of ['06', '07', '08']) await runAt(`2027-01-${day}T09:00:00Z`)
    const subjects = () =>
      sent.flatMap((mail) => (mail.recipient === editor.email ? mail.subject : []))
    await until(async () => subjects().length > 0)
    expect(subjects().map((subject) => subject.split(':')[0])).toEqual(['The draft is prepared'])
  })

  test('a recurring newsletter is prepared for the other teams when the time zone of one is not known any more', async () => {
    const [broken, other] = [await newTeam(), await newTeam()]
    for (const { admin } of [broken, other]) await admin.post('/settings/sending', fields)
    await app.sql`update newsletter_schedules set time_zone = 'Mars/Olympus' where team_id = ${broken.team.id}`
    await runAt('2027-01-06T09:00:00Z').catch(() => {})
    await app.sql`delete from newsletter_schedules where team_id = ${broken.team.id}`
    expect((await other.call('GET', '/newsletters')).json.newsletters).toHaveLength(1)
  })

  test('a recurring newsletter reminds the editors once of a newsletter that is not sent', async () => {
    const { call, admin, editor } = await newTeam()
    const settings = { ...fields, reminder_days: '1' }
    const { is_recurring: _, ...reminderOnly } = settings
    await admin.post('/settings/sending', reminderOnly)
    await newsletterOf(call, [], { title: 'Spring news', scheduled_date: '2027-03-12' })
    for (const day of ['10', '11', '11', '12']) await runAt(`2027-03-${day}T09:00:00Z`)
    const subjects = () =>
      sent.flatMap((mail) => (mail.recipient === editor.email ? mail.subject : []))
    await until(async () => subjects().length > 0)
    expect(subjects()).toEqual(['Spring news is planned for 12 Mar 2027'])
  })

  test.each([
    ['weekly', '2027-01-09', '2027-01-15'],
    ['biweekly', '2027-01-09', '2027-01-15'],
    ['biweekly', '2027-01-02', '2027-01-15'],
    ['biweekly', '2027-01-16', '2027-01-29'],
    ['monthly', '2027-01-02', '2027-02-05'],
    ['monthly', '2027-01-01', '2027-01-01'],
    ['quarterly', '2027-01-02', '2027-04-02'],
    ['quarterly', '2026-12-24', '2027-01-01'],
    ['ad_hoc', '2027-01-01', null],
  ] as const)(
    'a newsletter that is %s has after %s the planned date %s',
    (cadence, day, expected) => {
      expect(plannedDateFrom(day, { cadence, weekday: 5, anchor: '2027-01-01' })).toBe(expected)
    },
  )
})
