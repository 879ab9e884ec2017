import type { Logger } from 'pino'
import * as v from 'valibot'
import type { MemberRole } from '../contract/vocabulary.ts'
import type { AiDrafts } from '../features/ai-drafts/index.ts'
import type { ConnectionDeps, Integration } from '../features/connections/index.ts'
import type { Membership } from '../features/members/index.ts'
import type { Sessions, SignedIn } from '../features/sessions/index.ts'
import type { CountInPeriod } from '../features/teams/index.ts'
import type { Now } from '../lib/clock.ts'
import type { Sql } from '../lib/db.ts'
import { AppError, type FieldError } from '../lib/errors.ts'
import type { OutgoingMail } from '../lib/mail.ts'
import { parseInput } from '../lib/parse.ts'
import type { ConsoleAssets } from './assets.ts'
import type { CsrfAndFlash, Flash } from './csrf-and-flash.ts'
import type { FormValues } from './form-data.ts'
import type { OneTimeCookie } from './one-time-cookie.ts'

/** What connecting providers works with. */
export interface Integrations extends ConnectionDeps {
  /** What there is to connect, by name. */
  catalogue: readonly Integration[]
  /** Sends a failed or ignored delivery on its way again. */
  replay(teamId: string, deliveryId: string): Promise<void>
}

/** What pages work with; made once. */
export interface ConsoleDeps {
  sql: Sql
  now: Now
  log: Logger
  /** How people reach the service, without a slash at the end. */
  baseUrl: string
  sessions: Sessions
  /** Queues a mail, to be tried until a moment. Null: mail is not set up, and links are shown to copy. */
  mail: ((mail: OutgoingMail, until: Date) => Promise<void>) | null
  aiDraftsPerMonth: number | null
  countNewsletters: CountInPeriod
  integrations: Integrations
  drafts: AiDrafts
  assets: ConsoleAssets
  seals: CsrfAndFlash
  /** For what is shown once. */
  once: OneTimeCookie
}

/** A sentence that waits until a page has said it: frames, parts of pages and polls pass it by. */
interface PendingFlash {
  /** The sentence, which with that is said. */
  consume(): Flash
}

/** One request, as a page without sign-in sees it. */
export interface ConsoleRequest {
  deps: ConsoleDeps
  request: Request
  url: URL
  /** What the path's `:names` stand for. */
  params: Record<string, string>
  /** The client's network address. */
  address: string
  /** The form that was sent; empty unless this is a POST. */
  values: FormValues
  /** A sentence left by the page before. */
  flash: PendingFlash | null
  /** The person, when somebody is signed in. */
  signedIn: SignedIn | null
  /** Goes into every form of a signed-in person; empty for strangers. */
  csrf: string
}

/** One request of a member of a team: who they are, what they may do, and where. */
export interface MemberRequest extends ConsoleRequest {
  signedIn: SignedIn
  member: Membership
  /** Everything a page reads or writes belongs to this team. */
  teamId: string
  /** All teams of this person, this one included. */
  memberships: readonly Membership[]
}

/** A form that was sent and refused: what was typed, and what is wrong with it. */
export interface SubmittedForm {
  values: FormValues
  errors: readonly FieldError[]
}

/** The least role that may come here: a viewer reads, an editor changes content, an admin everything. */
type Access = MemberRole

interface PublicRoute {
  access: 'anyone'
  handler(arrival: ConsoleRequest): Promise<Response>
}

interface MemberRoute {
  access: Access
  handler(visit: MemberRequest): Promise<Response>
}

/** One address of the console. */
export type Route = {
  method: 'GET' | 'POST'
  path: string
  /** How long its answer may take, where that is longer than the server's patience. */
  timeoutSeconds?: number | undefined
} & (PublicRoute | MemberRoute)

/** A page that members see. */
export function page(
  path: string,
  access: Access,
  answer: (visit: MemberRequest) => Promise<Response>,
): Route {
  return { method: 'GET', path, access, handler: answer }
}

/** A page that needs no sign-in. */
export function publicPage(
  path: string,
  answer: (arrival: ConsoleRequest) => Promise<Response>,
): Route {
  return { method: 'GET', path, access: 'anyone', handler: answer }
}

export interface FormHandler<Who, Form extends v.GenericSchema> {
  /** What the form must hold; names that end in `[]` come as lists. */
  form: Form
  /** The work; ends with `redirect`, or with a page when something is shown once. */
  handle(who: Who, input: v.InferOutput<Form>): Promise<Response>
  /** How long it may take, where that is longer than the server's patience. */
  timeoutSeconds?: number
  /** The page to show again, with status 422, when the form or `act` refuses what was typed. */
  renderWithErrors?(who: Who, entry: SubmittedForm): Promise<Response>
}

/** What a member's form does. Origin, session, role and token were checked before. */
export function action<Form extends v.GenericSchema>(
  path: string,
  access: Access,
  handling: FormHandler<MemberRequest, Form>,
): Route {
  const { timeoutSeconds } = handling
  const answer = (visit: MemberRequest) => handle(visit, handling)
  return { method: 'POST', path, access, timeoutSeconds, handler: answer }
}

/** What a form does that needs no sign-in. The origin was checked before. */
export function publicAction<Form extends v.GenericSchema>(
  path: string,
  handling: FormHandler<ConsoleRequest, Form>,
): Route {
  return { method: 'POST', path, access: 'anyone', handler: (arrival) => handle(arrival, handling) }
}

/** For actions whose button is the whole form. */
export const NoFields = v.object({})

async function handle<Who extends ConsoleRequest, Form extends v.GenericSchema>(
  who: Who,
  { form, handle: act, renderWithErrors: again }: FormHandler<Who, Form>,
): Promise<Response> {
  const { values } = who
  try {
    return await act(who, parseInput(form, values))
  } catch (error) {
    const refused = error instanceof AppError && error.code === 'validation_failed'
    if (!refused || !again) throw error
    const response = await again(who, { values, errors: error.details.fields ?? [] })
    return new Response(response.body, { status: 422, headers: response.headers })
  }
}
