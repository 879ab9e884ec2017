import type { ErrorCode } from '../../lib/errors.ts'

interface ErrorExplanation {
  /** What happened, for the person who got it. */
  meaning: string
  /** What that person can do. */
  remedy: string
}

/** The explanation of every error code, for the OpenAPI document and the docs page. */
export const errorExplanations: Readonly<Record<ErrorCode, ErrorExplanation>> = {
  malformed_request: {
    meaning:
      'The request is not valid HTTP: its Host header is malformed, or its connection ended before its body was complete.',
    remedy:
      'Send one host name in the Host header, with a port if there is one, and as many bytes as Content-Length says.',
  },
  invalid_json: {
    meaning: 'The body is not JSON, not UTF-8, or nested deeper than 32 levels.',
    remedy:
      'Build the body with a JSON library rather than by joining strings, and send it as UTF-8.',
  },
  missing_key: {
    meaning: 'The request has no API key.',
    remedy: 'Send the key in the header `Authorization: Bearer <key>`.',
  },
  invalid_key: {
    meaning: 'The API key does not exist, or the `Authorization` header is not `Bearer <key>`.',
    remedy:
      'Copy the whole key again, without spaces or quotation marks. A lost key cannot be shown again: create a new one.',
  },
  revoked_key: {
    meaning:
      'The API key was revoked, perhaps while this request was in progress. Nothing was stored.',
    remedy: 'Create a new key and replace the old one.',
  },
  expired_key: {
    meaning: 'The API key has passed its expiry date.',
    remedy: 'Create a new key and replace the old one.',
  },
  insufficient_scope: {
    meaning: 'The key works, but may not do this.',
    remedy:
      'Use a key with the scope that `required_scope` names, and with the option that `required_option` names if there is one.',
  },
  not_found: {
    meaning: 'There is nothing at this address that the team of the key can see.',
    remedy:
      'Check the path and the id. The response is the same for an object of another team and for one that never existed.',
  },
  method_not_allowed: {
    meaning: 'This path exists, but not with this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  invalid_transition: {
    meaning: 'The resource cannot change from its present status to the requested one.',
    remedy: 'Choose one of the statuses in `allowed`.',
  },
  block_in_use: {
    meaning: 'The block is in a newsletter that is not sent yet.',
    remedy: 'Remove the block from the newsletter that the response names, then delete it.',
  },
  event_read_only: {
    meaning: 'The event is a day of the built-in calendar, or one date of an event that recurs.',
    remedy:
      'Change the event that `own_slug` names. If it is null, create an event with the slug of the day, which replaces it.',
  },
  newsletter_sent: {
    meaning: 'The newsletter is sent. A sent newsletter cannot change.',
    remedy: 'Create a new newsletter.',
  },
  embargoed: {
    meaning: 'A block cannot be sent yet: its `publish_after` is in the future.',
    remedy: 'Wait until then, or remove the block from the newsletter.',
  },
  request_in_progress: {
    meaning:
      'The same request is still in progress, or the same item is being changed at the moment.',
    remedy: 'Wait a second and send the request again as it is: it is stored once.',
  },
  version_mismatch: {
    meaning:
      'Somebody changed the resource after you read it: its version is not the one in `If-Match`.',
    remedy:
      'Read it again, decide whether your change is still right, and send it with the new version.',
  },
  too_large: {
    meaning:
      'The body is larger than 256 KiB, or than the larger limit of an upload or a bulk request.',
    remedy: 'Shorten the text, and link to images instead of including them.',
  },
  unsupported_media_type: {
    meaning: 'The body is not declared as JSON in UTF-8, or it is compressed.',
    remedy:
      'Send `Content-Type: application/json` and no `Content-Encoding`. Uploads can also be forms and files.',
  },
  validation_failed: {
    meaning: 'A part of the request is not valid for this operation.',
    remedy:
      'Read `fields`: each entry names a field and says what is wrong with it. All errors are listed at once.',
  },
  idempotency_key_reused: {
    meaning: 'This `Idempotency-Key` was used with another body before.',
    remedy: 'Use a new key for a new request, and the same key only to repeat the same request.',
  },
  rate_limited: {
    meaning:
      'The key made more than 60 requests in 60 seconds, or too many wrong keys came from this address.',
    remedy:
      'Wait as many seconds as `Retry-After` says; a request after that succeeds. `RateLimit` in every response says how many requests remain.',
  },
  ai_limit_reached: {
    meaning: 'The team has used up its AI drafts for this month.',
    remedy: 'Wait as many seconds as `Retry-After` says, or ask the operator for a larger plan.',
  },
  preview_limit_reached: {
    meaning: 'The team has sent all preview emails of today.',
    remedy: 'Wait as many seconds as `Retry-After` says.',
  },
  internal_error: {
    meaning: 'Something went wrong on our side.',
    remedy:
      'Try again later. If it happens again, give the operator the `request_id`: the log contains the cause.',
  },
  ai_unavailable: {
    meaning: 'No AI provider is configured, or it does not respond. The draft was not counted.',
    remedy: 'Try again later. If it happens again, ask the operator to check the AI settings.',
  },
  mail_unavailable: {
    meaning: 'Emails cannot be queued at the moment.',
    remedy: 'Wait as many seconds as `Retry-After` says and send the request again.',
  },
  database_unavailable: {
    meaning:
      'The database does not respond at the moment, or accepts no changes. The detail says whether a change can have been stored.',
    remedy: 'Wait as many seconds as `Retry-After` says and send the request again.',
  },
}

/** Every error code, lowest status first. Sound because the table has a row for each and no other. */
export const errorCodes = Object.keys(errorExplanations) as ErrorCode[]
