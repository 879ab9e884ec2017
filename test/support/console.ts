import type { MemberRole } from '../../src/contract/vocabulary.ts'
import { createAccount } from '../../src/features/accounts/index.ts'
import { acceptInvitation, addMember, inviteMember } from '../../src/features/members/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { inTransaction, systemContext } from '../../src/lib/context.ts'
import type { TestApp } from './app.ts'

/** What the browser of one person does: keeps cookies, sends forms with the token of the last page. */
export interface Person {
  get(path: string, headers?: Record<string, string>): Promise<Seen>
  post(path: string, fields?: Fields, headers?: Record<string, string>): Promise<Seen>
  /** `name=value`, one a cookie. */
  cookies: Map<string, string>
}

type Fields = Record<string, string | readonly string[] | File>

export interface Seen {
  status: number
  headers: Headers
  html: string
  /** Where a redirect leads, as a path. */
  location: string | null
}

export const testPassword = 'a long way home'

/** Somebody who comes to the console; `always` is sent with every request. */
export function person(base: string, always: Record<string, string> = {}): Person {
  const cookies = new Map<string, string>()
  let csrf = ''
  const send = async (path: string, init: RequestInit): Promise<Seen> => {
    const headers = new Headers({ ...always, ...Object.fromEntries(new Headers(init.headers)) })
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (jar !== '' && !headers.has('cookie')) headers.set('cookie', jar)
    const response = await fetch(base + path, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    const html = await response.text()
    csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? csrf
    const location = response.headers.get('location')
    return { status: response.status, headers: response.headers, html, location }
  }
  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, fields = {}, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { origin: base, ...headers },
        body: formOf({ csrf, ...fields }),
      }),
  }
}

/** The body of a form; `multipart/form-data` when it has a file. */
function formOf(fields: Fields): FormData | URLSearchParams {
  const texts = new URLSearchParams()
  const parts = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) {
      if (!(one instanceof File)) texts.append(name, String(one))
      parts.append(name, one instanceof File ? one : String(one))
    }
  }
  return Object.values(fields).some((value) => value instanceof File) ? parts : texts
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(/;\s*/)
  const at = pair.indexOf('=')
  if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, at))
  else cookies.set(pair.slice(0, at), pair.slice(at + 1))
}

/** A member of a team with an account, not signed in yet. */
export async function member(
  { sql }: TestApp,
  team: Team,
  role: MemberRole,
  { name = `A ${role}`, email = `${role}-${crypto.randomUUID()}@people.test` } = {},
): Promise<{ id: string; accountId: string; email: string }> {
  const account = await createAccount(
    { sql, now: systemClock },
    { email, name, password: testPassword },
  )
  const id = await joinTeam({ sql }, team, { accountId: account.id, email, name, role })
  return { id, accountId: account.id, email }
}

/** Makes a person with an account a member of a team; returns the id of the member. */
export async function joinTeam(
  { sql }: Pick<TestApp, 'sql'>,
  team: Team,
  {
    accountId,
    email,
    name = 'Ada',
    role = 'editor',
  }: { accountId: string; email: string; name?: string; role?: MemberRole },
): Promise<string> {
  const ctx = systemContext({ sql, now: systemClock }, team.id)
  const added = await addMember(ctx, { email, name, role })
  const token = await inviteMember(ctx, added)
  await inTransaction(ctx, (txCtx) => acceptInvitation(txCtx, { token, accountId }))
  return added.id
}

/** A member of a team, signed in on a page that has a form. */
export async function signedIn(
  app: TestApp,
  team: Team,
  role: MemberRole,
  about: { name?: string; email?: string } = {},
): Promise<Person & { id: string; accountId: string; email: string }> {
  const { id, accountId, email } = await member(app, team, role, about)
  const visitor = person(app.base)
  await logIn(visitor, email)
  await visitor.get('/library')
  return { ...visitor, id, accountId, email }
}

/**
 * Presses the button of a form twice before the first response, as a browser without JavaScript does: both
 * requests have the same cookies and the same fields. The browser follows the second response.
 */
export async function pressTwice(
  visitor: Person,
  path: string,
  fields: Record<string, string> = {},
): Promise<[Seen, Seen]> {
  const { html } = await visitor.get(path)
  const submission = /name="submission" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const send = () => visitor.post(path, { submission, ...fields })
  return await Promise.all([send(), send()])
}

/** Sends the sign-in form. */
export async function logIn(
  visitor: Person,
  email: string,
  password = testPassword,
): Promise<Seen> {
  return await visitor.post('/login', { email, password })
}
