import type { Logger } from 'pino'
import * as v from 'valibot'
import type { MemberRole } from '../contract/vocabulary.ts'
import type { ConnectionDeps, Integration } from '../features/connections/index.ts'
import type { Drafts } from '../features/drafts/index.ts'
import type { Membership } from '../features/people/index.ts'
import type { Sessions, SignedIn } from '../features/sessions/index.ts'
import type { CountInPeriod } from '../features/teams/index.ts'
import type { Now } from '../lib/clock.ts'
import type { Sql } from '../lib/db.ts'
import { AppError, type FieldFault } from '../lib/errors.ts'
import type { OutgoingMail } from '../lib/mail.ts'
import { parseInput } from '../lib/parse.ts'
import type { ConsoleAssets } from './assets.ts'
import type { FormValues } from './form-data.ts'
import type { Once } from './once.ts'
import type { Flash, Seals } from './session.ts'

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
  drafts: Drafts
  assets: ConsoleAssets
  seals: Seals
  /** For what is shown once. */
  once: Once
}

/** A sentence that waits until a page has said it: frames, parts of pages and polls pass it by. */
interface LeftFlash {
  /** The sentence, which with that is said. */
  say(): Flash
}

/** One request, as a page without sign-in sees it. */
export interface Arrival {
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
  flash: LeftFlash | null
  /** The person, when somebody is signed in. */
  signedIn: SignedIn | null
  /** Goes into every form of a signed-in person; empty for strangers. */
  csrf: string
}

/** One request of a member of a team: who they are, what they may do, and where. */
export interface Visit extends Arrival {
  signedIn: SignedIn
  member: Membership
  /** Everything a page reads or writes belongs to this team. */
  teamId: string
  /** All teams of this person, this one included. */
  memberships: readonly Membership[]
}

/** A form that was sent and refused: what was typed, and what is wrong with it. */
export interface Entry {
  values: FormValues
  faults: readonly FieldFault[]
}

/** The least role that may come here: a viewer reads, an editor changes content, an admin everything. */
type Access = MemberRole

interface PublicRoute {
  access: 'anyone'
  answer(arrival: Arrival): Promise<Response>
}

interface MemberRoute {
  access: Access
  answer(visit: Visit): Promise<Response>
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
  answer: (visit: Visit) => Promise<Response>,
): Route {
  return { method: 'GET', path, access, answer }
}

/** A page that needs no sign-in. */
export function publicPage(path: string, answer: (arrival: Arrival) => Promise<Response>): Route {
  return { method: 'GET', path, access: 'anyone', answer }
}

export interface Handling<Who, Form extends v.GenericSchema> {
  /** What the form must hold; names that end in `[]` come as lists. */
  form: Form
  /** The work; ends with `redirect`, or with a page when something is shown once. */
  act(who: Who, input: v.InferOutput<Form>): Promise<Response>
  /** How long it may take, where that is longer than the server's patience. */
  timeoutSeconds?: number
  /** The page to show again, with status 422, when the form or `act` refuses what was typed. */
  again?(who: Who, entry: Entry): Promise<Response>
}

/** What a member's form does. Origin, session, role and token were checked before. */
export function action<Form extends v.GenericSchema>(
  path: string,
  access: Access,
  handling: Handling<Visit, Form>,
): Route {
  const { timeoutSeconds } = handling
  const answer = (visit: Visit) => handle(visit, handling)
  return { method: 'POST', path, access, timeoutSeconds, answer }
}

/** What a form does that needs no sign-in. The origin was checked before. */
export function publicAction<Form extends v.GenericSchema>(
  path: string,
  handling: Handling<Arrival, Form>,
): Route {
  return { method: 'POST', path, access: 'anyone', answer: (arrival) => handle(arrival, handling) }
}

/** For actions whose button is the whole form. */
export const NoFields = v.object({})

async function handle<Who extends Arrival, Form extends v.GenericSchema>(
  who: Who,
  { form, act, again }: Handling<Who, Form>,
): Promise<Response> {
  const { values } = who
  try {
    return await act(who, parseInput(form, values))
  } catch (error) {
    const refused = error instanceof AppError && error.code === 'validation_failed'
    if (!refused || !again) throw error
    const response = await again(who, { values, faults: error.details.fields ?? [] })
    return new Response(response.body, { status: 422, headers: response.headers })
  }
}
