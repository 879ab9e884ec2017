/** Preloaded into the service, it makes its time limits last longer than any test. */
import { extendTimeLimits } from './time-limits.ts'

extendTimeLimits()
