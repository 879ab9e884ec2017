import type { Logger } from 'pino'
import type * as v from 'valibot'
import type { BodyFormat } from '../../contract/vocabulary.ts'
import type { ChangeEmails } from '../../features/account-emails/index.ts'
import type { AccountContext } from '../../features/accounts/index.ts'
import type { AiDrafts } from '../../features/ai-drafts/index.ts'
import type { ConnectionDeps, Integration } from '../../features/connections/index.ts'
import type { BodyConversion } from '../../features/content-blocks/index.ts'
import type { InstallationSettings } from '../../features/health/index.ts'
import type { Images } from '../../features/images/index.ts'
import { type Membership, memberActor } from '../../features/members/index.ts'
import type { Sessions, SignedIn } from '../../features/sessions/index.ts'
import type { CountInPeriod } from '../../features/teams/index.ts'
import type { Now } from '../../lib/clock.ts'
import type { Context, LinkContext } from '../../lib/context.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'
import type { FieldError } from '../../lib/errors.ts'
import type { OutgoingMail } from '../../lib/mail/mail.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import type { ConsoleAssets } from '../assets.ts'
import type { ProviderLogos } from '../components/provider-logo.tsx'
import type { Live } from '../live/live.ts'
import type { Translate } from '../locales/index.ts'
import type { CsrfAndFlash, Flash } from './forms/csrf-and-flash.ts'
import type { FormFiles, FormValues } from './forms/form-data.ts'
import type { SenderCookie } from './forms/sender-cookie.ts'
import type { OneTimeCookie } from './sign-in/one-time-cookie.ts'
import type { UserLocale } from './user-locale.ts'

/** The dependencies of the integration pages. */
export interface Integrations extends ConnectionDeps {
  /** Every integration that can be connected. */
  catalog: readonly Integration[]
  /** Processes a failed or ignored delivery again. */
  replay(ctx: Context, deliveryId: string): Promise<void>
}

/** How text that people type in the console is read: as the chats read it. */
interface TypedText {
  /** One line, with emoji for its emoji codes. */
  withEmoji(line: string): string
  /** HTML, with emoji for the emoji codes in its words. */
  htmlWithEmoji(html: string): string
  /** Text from a plain field: HTML when it has lists, links or other formatting. */
  formatTypedText(body: string): { body: string; body_format: BodyFormat }
}

/** The dependencies of the pages; created once per app. */
export interface ConsoleDeps extends ChangeEmails {
  sql: Sql
  now: Now
  log: Logger
  queue: JobQueue
  /** What the health page checks. */
  installation: InstallationSettings
  /** How people reach the service, without a slash at the end; over https its cookies are `Secure`. */
  baseUrl: string
  /** The address with which a phone opens the service now; null: only this computer can. */
  phoneUrl(): string | null
  sessions: Sessions
  /** Whether people can sign in with a password or a passkey; otherwise with an identity provider only. */
  passwordSignIn: boolean
  /** Who creates teams in the console: nobody, the admins of any team, or everybody. */
  createTeams: 'nobody' | 'admins' | 'everybody'
  /** Queues an email; it is retried until `until`. Null: email is not configured, and pages show links to copy. */
  mail: ((sql: Sql | Tx, mail: OutgoingMail, until: Date) => Promise<void>) | null
  aiDraftsPerMonth: number | null
  countNewsletters: CountInPeriod
  typedText: TypedText
  /** How the texts of blocks are converted to what is stored. */
  bodyConversion: BodyConversion
  integrations: Integrations
  drafts: AiDrafts
  images: Images
  /** The pages that receive messages. */
  live: Live
  assets: ConsoleAssets
  logos: ProviderLogos
  csrfAndFlash: CsrfAndFlash
  /** Passes a secret to the one page that shows it. */
  oneTimeCookie: OneTimeCookie
  /** Lets the browser that has sent news withdraw it. */
  senderCookie: SenderCookie
}

/** A flash message. Fragments and frames do not consume it. */
interface PendingFlash {
  /** Returns the message and marks it as shown. */
  consume(): Flash
}

/** A request to a page. It is part of the Elysia context of every route. */
export interface ConsoleRequest {
  deps: ConsoleDeps
  request: Request
  url: URL
  /** The path parameters. */
  params: Record<string, string>
  /** The network address of the client. */
  address: string
  /** The submitted form; empty unless the method is POST. */
  values: FormValues
  /** The files of the form; only for routes whose form has one. */
  files: FormFiles
  /** The flash message of the previous page. */
  flash: PendingFlash | null
  /** The account and session of the person, or null. */
  signedIn: SignedIn | null
  /** The language of the person, and how dates are written. */
  userLocale: UserLocale
  /** The texts of the pages in the language of the person. */
  t: Translate
  /** The CSRF token for forms; empty when nobody is signed in. */
  csrf: string
  /** Identifies the page view, so that each of its forms is accepted once. */
  submission: string
}

/** A request of a member of a team. */
export interface MemberRequest extends ConsoleRequest {
  /** The context for feature functions, with the member as the actor. */
  ctx: LinkContext
  signedIn: SignedIn
  member: Membership
  /** The team whose data the page reads and writes. */
  teamId: string
  /** The memberships of the person in all teams. */
  memberships: readonly Membership[]
}

/** A request whose form matches the schema of its route. */
export type FormRequest<Form extends v.GenericSchema, Base = MemberRequest> = Base & {
  body: v.InferOutput<Form>
}

/** A submitted form with its values and errors. */
export interface SubmittedForm {
  values: FormValues
  errors: readonly FieldError[]
}

/** The context for feature functions in which a member is the actor. */
export const memberContext = (
  { sql, now, baseUrl }: Pick<LinkContext, 'sql' | 'now' | 'baseUrl'>,
  member: Parameters<typeof memberActor>[0],
  address: string,
): LinkContext => ({ sql, now, baseUrl, actor: memberActor(member, address) })

/** The context for feature functions in which a person changes their own account. */
export const accountContext = ({
  deps: { sql, now, emailQueue },
  signedIn,
  address,
}: Pick<MemberRequest, 'deps' | 'signedIn' | 'address'>): AccountContext & ChangeEmails => ({
  sql,
  now,
  emailQueue,
  address,
  accountId: signedIn.account.id,
})

/** The context for feature functions that change connections. */
export const connectionContext = ({ ctx, deps }: MemberRequest) => ({
  ...ctx,
  encryption: deps.integrations.encryption,
})

/** True when the person is signed in and the membership is loaded. */
export const isMemberRequest = (context: ConsoleRequest): context is MemberRequest =>
  'member' in context
