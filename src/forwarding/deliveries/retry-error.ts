import { ProviderError } from '../../../integrations/kit/provider-error.ts'
import { RetryAfterError } from '../../lib/queue/index.ts'

/**
 * The error after which a job is repeated: when the provider accepts requests again, otherwise after
 * `defaultSeconds`, or after the delay of the job's type.
 */
export function retryError(error: unknown, defaultSeconds?: number): unknown {
  if (error instanceof RetryAfterError) return error
  const asked = error instanceof ProviderError ? error.retryAfterSeconds : undefined
  const seconds = asked ?? defaultSeconds
  if (seconds === undefined) return error
  return new RetryAfterError(seconds, error instanceof Error ? error : new Error('unknown error'))
}
