/** What one check has found. */
export interface Finding {
  /** What was checked. */
  check: string
  status: 'ok' | 'warning' | 'failing'
  message: string
  /** What to do; null when nothing has to be done. */
  action: string | null
}

export const ok = (check: string, message: string): Finding => ({
  check,
  status: 'ok',
  message,
  action: null,
})

export const warning = (check: string, message: string, action: string): Finding => ({
  check,
  status: 'warning',
  message,
  action,
})

export const failing = (check: string, message: string, action: string): Finding => ({
  check,
  status: 'failing',
  message,
  action,
})
