import { expect, test } from 'bun:test'
import { loadConfig } from '../../src/config/index.ts'
import { connect } from '../../src/lib/database/db.ts'

/** The message with which these settings prevent the start. */
function refusalOf(env: Record<string, string>): string {
  try {
    loadConfig(env)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return ''
}

test.each(['changeme', 'secret', 'too short'])('the secret %p prevents the start', (secret) => {
  expect(refusalOf({ TIDINGS_SECRET: secret })).toContain('TIDINGS_SECRET')
})

test.each([
  'https://gitlab.internal',
  'gitlab.internal/api',
  '10.0.0.0/8',
  'gitlab.internal:99999',
  'gitlab internal',
])('the host %p that no request could reach prevents the start', (hosts) => {
  expect(refusalOf({ OUTBOUND_ALLOW_PRIVATE: hosts })).toContain('OUTBOUND_ALLOW_PRIVATE must be')
})

test.each([
  ['BASE_URL', 'https://news.example.com/tidings'],
  ['BASE_URL', 'https://news.example.com?a=b'],
  ['BASE_URL', 'https://ada:canary@news.example.com'],
  ['SMTP_URL', 'smtp://ada:canary%zz@mail.example.com'],
  ['DATABASE_URL', 'postgres://ada:canary%zz@db/tidings'],
  ['DATABASE_URL', 'postgres://ada:canary@db:99999/tidings'],
  ['DATABASE_URL', 'postgres://ada:canary@db/tidings?sslmode=no-verify'],
  ['DATABASE_URL', 'postgres://ada:canary@db/tidings?sslrootcert=/nowhere/ca.pem'],
  ['DATABASE_URL', 'postgres://ada:canary/word@db.example.com/tidings'],
  ['DATABASE_URL', 'postgres://ada:12#canary@db.example.com/tidings'],
  ['DATABASE_URL', 'postgres://ada:12?canary@db.example.com/tidings'],
  ['DATABASE_URL', 'postgres://ada:canary@/tidings'],
  ['BACKUP_TO', 's3:/bucket/canary'],
  ['BACKUP_TO', 'https://canary.example.com/backups'],
])('the setting %s with the value %p prevents the start', (name, value) => {
  const given = { MAIL_FROM: 'news@example.com', BACKUP_PASSPHRASE: 'a passphrase', [name]: value }
  const refusal = refusalOf(given)
  expect(refusal).toContain(`  ${name} must `)
  expect(refusal.split('\n')).toHaveLength(2)
  expect(refusal).not.toContain('canary')
})

test('hosts with and without a port are accepted in lower case', () => {
  const hosts = 'GitLab.internal, 10.0.0.5:80, [fd00::5]:8443,'
  expect(loadConfig({ OUTBOUND_ALLOW_PRIVATE: hosts }).outboundAllowPrivate).toEqual([
    'gitlab.internal',
    '10.0.0.5:80',
    '[fd00::5]:8443',
  ])
})

test('every wrong setting is named in one message, and no value is repeated', () => {
  const refusal = refusalOf({
    PORT: 'canary-port',
    DATABASE_URL: 'mysql://root:canary-password@db/tidings',
    TIDINGS_SECRET: 'canary-secret',
    SMTP_URL: 'http://user:canary-smtp@mail',
    LOG_LEVEL: 'canary-level',
  })
  for (const name of ['PORT', 'DATABASE_URL', 'TIDINGS_SECRET', 'SMTP_URL', 'LOG_LEVEL']) {
    expect(refusal).toContain(`  ${name} `)
  }
  expect(refusal).not.toContain('canary')
})

test('a DATABASE_URL with an IPv6 address leads to that address', () => {
  const url = 'postgres://ada:secret@[2001:db8::7]:5433/tidings'
  const { databaseUrl } = loadConfig({ DATABASE_URL: url })
  const { options } = connect(databaseUrl ?? '', { name: 'test' })
  expect(options).toMatchObject({ host: ['2001:db8::7'], port: [5433], database: 'tidings' })
})

test('the parameter host of DATABASE_URL is the folder of a Unix socket', () => {
  const url = 'postgres://ada:p%40ss@/tidings?host=/run/postgresql&port=5433'
  expect(loadConfig({ DATABASE_URL: url }).databaseUrl).toEqual({
    host: '/run/postgresql',
    port: 5433,
    database: 'tidings',
    username: 'ada',
    password: 'p@ss',
  })
})

test.each([
  ['disable', false],
  ['prefer', { rejectUnauthorized: false }],
  ['require', { rejectUnauthorized: false }],
  ['verify-full', {}],
])('sslmode=%s of DATABASE_URL means the same for both drivers', (mode, ssl) => {
  const url = 'postgres://ada:pass@db.example.com/tidings'
  const { databaseUrl } = loadConfig({ DATABASE_URL: `${url}?sslmode=${mode}` })
  expect<unknown>(databaseUrl).toEqual({ url, ssl })
})

test.each([
  ['https://news.example.com ', 'https://news.example.com'],
  ['https://news.example.com\n', 'https://news.example.com'],
  ['HTTPS://News.Example.com/', 'https://news.example.com'],
  ['https://news.example.com:443', 'https://news.example.com'],
  ['http://localhost:3000/', 'http://localhost:3000'],
])('BASE_URL=%p is %s', (given, baseUrl) => {
  expect(loadConfig({ BASE_URL: given }).baseUrl).toBe(baseUrl)
})

test('white space around a token, an address and the URL of the database does not count', () => {
  const { metrics, ingestUrl, databaseUrl } = loadConfig({
    METRICS_TOKEN: `${'x'.repeat(16)}\n`,
    INGEST_URL: 'http://tidings/ ',
    DATABASE_URL: 'postgres://ada@db/tidings\n',
  })
  expect(metrics?.token).toBe('x'.repeat(16))
  expect(ingestUrl).toBe('http://tidings')
  expect(databaseUrl).toBe('postgres://ada@db/tidings')
})

test('an empty environment variable counts as not set', () => {
  expect(loadConfig({ PORT: '', BASE_URL: ' ' })).toMatchObject({ port: 3000 })
})

test('an identity provider is configured with its client id, its secret and its issuer', () => {
  const { identityProviders, passwordSignIn } = loadConfig({
    OIDC_GOOGLE_CLIENT_ID: 'google id',
    OIDC_GOOGLE_CLIENT_SECRET: 'google secret',
    OIDC_KEYCLOAK_CLIENT_ID: 'tidings',
    OIDC_KEYCLOAK_CLIENT_SECRET: 'keycloak secret',
    OIDC_KEYCLOAK_ISSUER: 'https://sso.example.com/realms/staff',
    SIGN_IN: 'oidc',
  })
  expect(passwordSignIn).toBeFalse()
  expect(identityProviders).toEqual([
    {
      id: 'google',
      name: 'Google',
      issuer: 'https://accounts.google.com',
      clientId: 'google id',
      clientSecret: 'google secret',
    },
    {
      id: 'keycloak',
      name: 'Keycloak',
      issuer: 'https://sso.example.com/realms/staff',
      clientId: 'tidings',
      clientSecret: 'keycloak secret',
    },
  ])
  expect(loadConfig({})).toMatchObject({ identityProviders: [], passwordSignIn: true })
})

test.each([
  [{ SIGN_IN: 'oidc' }, 'SIGN_IN=oidc needs an identity provider'],
  [{ OIDC_OKTA_CLIENT_ID: 'x', OIDC_OKTA_CLIENT_SECRET: 'x' }, 'Set also OIDC_OKTA_ISSUER'],
  [{ OIDC_GOOGLE_CLIENT_ID: 'x' }, 'Set also OIDC_GOOGLE_CLIENT_SECRET'],
  [{ OIDC_OKTA_ISSUER: 'http://acme.okta.com' }, 'OIDC_OKTA_ISSUER must be an https URL'],
  [
    { OIDC_ENTRA_ISSUER: 'https://login.microsoftonline.com/common/v2.0' },
    'OIDC_ENTRA_ISSUER must name your tenant',
  ],
])('the settings %j of an identity provider prevent the start', (env, message) => {
  expect(refusalOf(env)).toContain(message)
})
