import * as v from 'valibot'

// The parts of the manifest of a Teams app that Tidings uses, with the rules of its schema, written independently of the
// adapter. https://github.com/OfficeDev/microsoft-teams-app-schema and
// https://learn.microsoft.com/microsoftteams/platform/concepts/build-and-test/apps-package

const text = (max: number) => v.pipe(v.string(), v.nonEmpty(), v.maxLength(max))
const Guid = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i))
const Address = v.pipe(v.string(), v.maxLength(2_048), v.regex(/^https:\/\//))
const Scopes = v.pipe(
  v.array(v.picklist(['team', 'personal', 'groupChat'])),
  v.minLength(1),
  v.maxLength(3),
)

const Bot = v.strictObject({
  botId: Guid,
  scopes: Scopes,
  supportsFiles: v.optional(v.boolean()),
  isNotificationOnly: v.optional(v.boolean()),
  commandLists: v.pipe(
    v.array(
      v.strictObject({
        scopes: Scopes,
        commands: v.pipe(
          v.array(v.strictObject({ title: text(32), description: text(128) })),
          v.maxLength(10),
        ),
      }),
    ),
    v.maxLength(3),
  ),
})

const Extension = v.strictObject({
  botId: Guid,
  commands: v.pipe(
    v.array(
      v.strictObject({
        id: text(64),
        type: v.picklist(['query', 'action']),
        title: text(32),
        description: text(128),
        context: v.pipe(
          v.array(v.picklist(['compose', 'commandBox', 'message'])),
          v.minLength(1),
          v.maxLength(3),
        ),
        fetchTask: v.literal(true),
      }),
    ),
    v.minLength(1),
    v.maxLength(10),
  ),
})

const Permission = v.strictObject({
  name: text(128),
  type: v.picklist(['Application', 'Delegated']),
})

const Manifest = v.strictObject({
  $schema: v.literal(
    'https://developer.microsoft.com/json-schemas/teams/v1.17/MicrosoftTeams.schema.json',
  ),
  manifestVersion: v.literal('1.17'),
  version: v.pipe(v.string(), v.regex(/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/)),
  id: Guid,
  developer: v.strictObject({
    name: text(32),
    websiteUrl: Address,
    privacyUrl: Address,
    termsOfUseUrl: Address,
  }),
  name: v.strictObject({ short: text(30), full: text(100) }),
  description: v.strictObject({ short: text(80), full: text(4_000) }),
  icons: v.strictObject({ color: text(2_048), outline: text(2_048) }),
  accentColor: v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i)),
  bots: v.tuple([Bot]),
  composeExtensions: v.tuple([Extension]),
  permissions: v.pipe(v.array(v.picklist(['identity', 'messageTeamMembers'])), v.maxLength(2)),
  validDomains: v.pipe(v.array(v.pipe(text(2_048), v.regex(/^[\w.-]+$/))), v.maxLength(16)),
  webApplicationInfo: v.optional(v.strictObject({ id: Guid, resource: text(2_048) })),
  authorization: v.optional(
    v.strictObject({
      permissions: v.strictObject({
        resourceSpecific: v.pipe(v.array(Permission), v.maxLength(16)),
      }),
    }),
  ),
})

/** Throws unless this is a manifest that Teams accepts. Returns it. */
export const requireManifest = (text: string) => v.parse(Manifest, JSON.parse(text))
