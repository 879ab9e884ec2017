import { describe, expect, spyOn, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { CommanderError } from '@commander-js/extra-typings'
import packageJson from '../../package.json' with { type: 'json' }
import { runCli } from '../../src/cli/index.ts'

/** Every command of the README and the guides. */
const commands = [
  ...['team create', 'team set', 'team list'],
  ...['member add', 'member link', 'member list', 'member remove'],
  ...['member reset-second-factor', 'member sign-in-link', 'member unlink-identity'],
  ...['key create', 'key list', 'key revoke'],
  ...['adapter list', 'adapter try'],
  ...['connection create', 'connection set', 'connection show', 'connection list'],
  ...['connection remove', 'connection rotate-key'],
  ...['connection add-route', 'connection list-routes', 'connection remove-route'],
  ...['delivery list', 'delivery show', 'delivery replay'],
  ...[
    'demo',
    'migrate',
    'doctor',
    'secret rotate',
    'secret replace',
    'backup',
    'restore',
    'complete',
  ],
]

/** What a call prints; a command that opens the database fails. */
async function printed(...args: string[]): Promise<string> {
  let text = ''
  const runtime = {
    withDatabase: () => Promise.reject(new Error('The database was opened.')),
    rotateSecret: () => Promise.reject(new Error('The database was opened.')),
    replaceSecret: () => Promise.reject(new Error('The database was opened.')),
    restore: () => Promise.reject(new Error('The database was opened.')),
    setExitCode: () => {},
    write: (part: string) => {
      text += part
    },
    writeError: () => {},
  }
  const call = { executable: 'tidings', version: packageJson.version, args }
  await runCli(runtime, call).catch((error) => {
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error
  })
  return text
}

test('the help of the program lists every command on its own line', async () => {
  const listed = [...(await printed('--help')).matchAll(/^ {2}([a-z]+(?: [a-z-]+)?)(?= )/gm)]
  expect(listed.map(([, name]) => name)).toEqual(commands)
  expect(await printed()).toBe(await printed('--help'))
})

test.each(commands)(
  '`tidings %s --help` shows the usage and describes every option',
  async (name) => {
    const help = await printed(...name.split(' '), '--help')
    expect(help).toStartWith(`Usage: tidings ${name}`)
    const options = [...help.matchAll(/^ {2}(-.*?)(?: {2,}(.*))?$/gm)]
    expect(options.length).toBeGreaterThan(0)
    for (const [, option, description] of options)
      expect({ option, description }).not.toEqual({ option })
  },
)

test('the version is the version of the package', async () => {
  expect(await printed('--version')).toBe(`${packageJson.version}\n`)
})

describe('The completion of a shell', () => {
  /** What the completion library prints, which writes with `console.log`. */
  async function completion(...args: string[]): Promise<string> {
    const log = spyOn(console, 'log').mockImplementation(() => {})
    await printed('complete', ...args)
    const lines = log.mock.calls.map(([line]) => String(line))
    log.mockRestore()
    return lines.join('\n')
  }
  const completed = async (...words: string[]) =>
    (await completion('--', ...words)).split('\n').map((line) => line.split('\t')[0] ?? '')

  test('shell completion offers the commands, the options of a command and the adapters', async () => {
    expect(await completed('conn')).toContain('connection')
    expect(await completed('connection', '')).toContain('create')
    expect(await completed('connection', 'create', '--')).toContain('--adapter')
    expect(await completed('connection', 'create', '--adapter', 'git')).toEqual(
      expect.arrayContaining(['github', 'gitlab']),
    )
    expect(await completed('adapter', 'try', 'git')).toContain('gitea')
    expect(await completed('member', 'add', '--role', '')).toContain('viewer')
  })

  test('bash accepts the script that installs shell completion', async () => {
    const script = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
    const program = Bun.spawn(['bun', script, 'complete', 'bash'], { stdout: 'pipe' })
    const commands = `${await program.stdout.text()}\ncomplete -p tidings`
    const shell = Bun.spawn(['bash', '-c', commands], { stdout: 'pipe' })
    expect(await shell.stdout.text()).toBe('complete -F __tidings_complete tidings\n')
  })

  test.each(['zsh', 'fish', 'powershell'])(
    'shell completion has a script for %s',
    async (shell) => {
      expect(await completion(shell)).toContain('tidings')
    },
  )
})
