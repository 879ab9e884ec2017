import { expect, test } from 'bun:test'
import { loadConfig } from '../src/config.ts'

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

test('the parameter host of DATABASE_URL is the folder of a Unix socket', () => {
  const url = 'postgres://ada:p%40ss@/tidings?host=/run/postgresql&port=5433'
  expect(loadConfig({ DATABASE_URL: url }).databaseUrl).toEqual({
    ...{ host: '/run/postgresql', port: 5433, database: 'tidings' },
    ...{ username: 'ada', password: 'p@ss' },
  })
})

test('an empty variable counts as not set', () => {
  expect(loadConfig({ PORT: '', BASE_URL: ' ' })).toMatchObject({ port: 3000 })
})
