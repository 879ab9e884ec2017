import { expect, test } from 'bun:test'
import packageJson from '../../package.json' with { type: 'json' }

const { dependencies, devDependencies, scripts } = packageJson

/** The versions that docs/threats.md (T-66) requires. */
test.each([
  ['elysia', '1.4.27'],
  ['nodemailer', '10.6.0'],
  ['@slack/bolt', '5.0.0'],
  ['sanitize-html', '2.17.7'],
])('the dependency %s is at least version %s', (name, least) => {
  const version = Object.entries<string>(dependencies).find(([known]) => known === name)?.[1] ?? ''
  expect(Bun.semver.order(version, least)).toBeGreaterThanOrEqual(0)
})

test('every dependency has an exact version', () => {
  const versions = Object.entries({ ...dependencies, ...devDependencies })
  expect(
    versions.filter(([, version]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+[\w.-]*$/.test(version)),
  ).toEqual([])
})

test('every command installs exactly what the lockfile says', () => {
  const installing = Object.values(scripts).filter((script) => script.includes('bun install'))
  expect(installing.length).toBeGreaterThan(0)
  expect(installing.filter((script) => !script.includes('--frozen-lockfile'))).toEqual([])
})
