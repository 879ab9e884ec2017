/** What one check has found. */
export interface Finding {
  /** What was checked. */
  check: string
  status: 'ok' | 'warning' | 'failing'
  message: string
  /** What to do; null when nothing has to be done. */
  action: string | null
}

/** The finding of a check without a problem. */
export const ok = (check: string, message: string): Finding => ({
  check,
  status: 'ok',
  message,
  action: null,
})

/** The finding of a check with a problem that can become a failure. */
export const warning = (check: string, message: string, action: string): Finding => ({
  check,
  status: 'warning',
  message,
  action,
})

/** The finding of a check that fails now. */
export const failing = (check: string, message: string, action: string): Finding => ({
  check,
  status: 'failing',
  message,
  action,
})
