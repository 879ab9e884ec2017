import { readFileSync } from 'node:fs'

const checkEveryMs = 500

/** The parent of a process, or null where the system has no `/proc` or the process is gone. */
function parentOf(pid: number): number | null {
  try {
    const [, state] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(state?.split(' ')[1])
  } catch {
    return null
  }
}

/**
 * Calls back once the command that `npx` runs for us is gone. `npx bun run start` is npx, a shell,
 * `bun run` and this process; a signal to npx ends the shell, which does not pass it on, so that the
 * service would live on unseen.
 */
export function onParentExit(callback: () => void): void {
  const runner = process.ppid
  const shell = parentOf(runner)
  if (shell === null) return
  const timer = setInterval(() => {
    if (process.ppid === runner && parentOf(runner) === shell) return
    clearInterval(timer)
    callback()
  }, checkEveryMs)
  timer.unref()
}
