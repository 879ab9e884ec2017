import type { Installation } from './installation.ts'

/** A fault: it begins, lasts, and is over when the promise resolves. */
export interface Fault {
  name: string
  /** True when the process of the service ends with it. */
  restarts: boolean
  cause(installation: Installation): Promise<void>
}

/** How long a condition lasts is the fault itself. */
export const lastsFor = (seconds: number) => Bun.sleep(seconds * 1000)
