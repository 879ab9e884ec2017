import { describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { CommanderError } from '@commander-js/extra-typings'
import packageJson from '../package.json' with { type: 'json' }
import { runCli } from '../src/cli/index.ts'

/** Every command of the README and the guides. */
const commands = [
  ...['team create', 'team list'],
  ...['member add', 'member link', 'member list', 'member remove'],
  ...['key create', 'key list', 'key revoke'],
  ...['adapter list', 'adapter try'],
  ...['connection create', 'connection set', 'connection show', 'connection list'],
  ...['connection remove', 'connection rotate-key'],
  ...['delivery list', 'delivery show', 'delivery replay'],
  ...['demo', 'migrate', 'secret replace', 'backup', 'restore', 'complete'],
]

/** What a call prints; a command that opens the database fails. */
async function printed(...args: string[]): Promise<string> {
  let text = ''
  const runtime = {
    withDatabase: () => Promise.reject(new Error('The database was opened.')),
    replaceSecret: () => Promise.reject(new Error('The database was opened.')),
    restore: () => Promise.reject(new Error('The database was opened.')),
    write: (part: string) => {
      text += part
    },
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

describe('shell completion', () => {
  const script = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
  const run = (...args: string[]) => Bun.spawnSync(['bun', script, ...args]).stdout.toString()
  const completed = (...words: string[]) =>
    run('complete', '--', ...words)
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '')

  test('offers the commands, the options of a command and the adapters', () => {
    expect(completed('conn')).toContain('connection')
    expect(completed('connection', '')).toContain('create')
    expect(completed('connection', 'create', '--')).toContain('--adapter')
    expect(completed('connection', 'create', '--adapter', 'git')).toEqual(
      expect.arrayContaining(['github', 'gitlab']),
    )
    expect(completed('adapter', 'try', 'git')).toContain('gitea')
    expect(completed('member', 'add', '--role', '')).toContain('viewer')
  })

  test('is installed by a script that bash accepts', () => {
    const shell = Bun.spawnSync(['bash', '-c', `${run('complete', 'bash')}\ncomplete -p tidings`])
    expect(shell.stdout.toString()).toBe('complete -F __tidings_complete tidings\n')
  })

  test.each(['zsh', 'fish', 'powershell'])('prints a script for %s', (shell) => {
    expect(run('complete', shell)).toContain('tidings')
  })
})
