import { existsSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import chromium, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium as engine } from 'playwright-core'

/**
 * A headless Chromium out of an npm package: nothing to install, also as root and on a machine that
 * has neither its libraries nor a font.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await chromium.executablePath()
  // It is unpacked once per machine, for its owner alone; others may run these tests too.
  await chmod(executablePath, 0o755).catch(() => undefined)
  return await engine.launch({
    executablePath,
    // It only ever opens our own pages, and as root there is no sandbox.
    args: ['--no-sandbox', '--headless=shell'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: await libraries(),
      FONTCONFIG_PATH: `${tmpdir()}/fonts`,
    },
  })
}

/** The folder of the libraries Chromium needs; the package unpacks them on Amazon's machines alone. */
async function libraries(): Promise<string> {
  const folder = `${tmpdir()}/al2023`
  if (!existsSync(folder)) {
    const archive = new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))
    await inflate(fileURLToPath(archive))
  }
  return `${folder}/lib`
}
