/** The values of the fields of the API, one `as const` list each. */

export const scopes = ['read', 'write', 'send_preview'] as const
export type Scope = (typeof scopes)[number]

export const blockTypes = [
  'general',
  'ceo_update',
  'team_spotlight',
  'new_starter',
  'policy_change',
  'event_announcement',
  'wins_milestones',
  'poll',
  'learning_development',
] as const
export type BlockType = (typeof blockTypes)[number]

export const blockStatuses = ['draft', 'ready', 'used'] as const
export type BlockStatus = (typeof blockStatuses)[number]

export const blockSources = ['manual', 'submission', 'ai_draft', 'agent', 'webhook'] as const
export type BlockSource = (typeof blockSources)[number]

export const bodyFormats = ['html', 'text'] as const
export type BodyFormat = (typeof bodyFormats)[number]

/** What ingest takes; Markdown is stored as HTML. */
export const ingestFormats = ['text', 'html', 'markdown'] as const

export const imageSizes = ['small', 'medium', 'full_width'] as const
export type ImageSize = (typeof imageSizes)[number]

export const eventCategories = [
  'awareness_day',
  'cultural',
  'seasonal',
  'corporate',
  'wellness',
  'diversity',
] as const
export type EventCategory = (typeof eventCategories)[number]

/** The fonts that mail programs have without loading anything. */
export const templateFonts = [
  'system',
  'arial',
  'verdana',
  'trebuchet',
  'georgia',
  'palatino',
] as const
export type TemplateFont = (typeof templateFonts)[number]

/** The layouts that ship with the service. */
export const templateBases = ['clean', 'bold', 'digest'] as const
export type TemplateBase = (typeof templateBases)[number]

/** The languages of the texts that Tidings adds to what people wrote; each has a file in `src/locales`. */
export const languages = ['en', 'de', 'fr', 'es', 'pt', 'nl', 'it', 'pl', 'sv', 'ja'] as const
export type Language = (typeof languages)[number]

export const newsletterCadences = ['weekly', 'biweekly', 'monthly', 'quarterly', 'ad_hoc'] as const
export type NewsletterCadence = (typeof newsletterCadences)[number]

export const memberRoles = ['admin', 'editor', 'viewer'] as const
export type MemberRole = (typeof memberRoles)[number]

export const newsletterStatuses = ['draft', 'in_progress', 'ready', 'sent'] as const
export type NewsletterStatus = (typeof newsletterStatuses)[number]

/** Who can read the archive of a team: nobody, everybody with its link, or members who are signed in. */
export const archiveModes = ['off', 'link', 'members'] as const
export type ArchiveMode = (typeof archiveModes)[number]

/** How a connection works. */
export const connectionStates = ['waiting', 'working', 'delayed', 'failing'] as const
export type ConnectionState = (typeof connectionStates)[number]
