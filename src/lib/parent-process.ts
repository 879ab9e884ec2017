import { readFileSync } from 'node:fs'

const checkEveryMs = 500

/** The parent of a process, or null when the system has no `/proc` or the process has ended. */
function parentOf(pid: number): number | null {
  try {
    const [, state] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(state?.split(' ')[1])
  } catch {
    return null
  }
}

/**
 * Calls `onExit` when the command that `npx` runs has ended. `npx bun run start` starts npx, a
 * shell, `bun run` and this process. A signal to npx ends the shell, which does not pass it on, so
 * this process would continue to run.
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
