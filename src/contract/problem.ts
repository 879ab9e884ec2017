import * as v from 'valibot'
import { described } from './described.ts'

/** What can be wrong with a part of the input of a request to the API. */
export const fieldErrorCodes = [
  ...(['required', 'empty', 'type', 'invalid', 'not_allowed', 'unknown_field'] as const),
  ...(['unknown', 'taken', 'too_many', 'too_large', 'not_the_set', 'not_a_member'] as const),
  ...(['not_an_image', 'not_fetched', 'contrast'] as const),
] as const

/** One part of the input that is wrong. */
export const FieldError = v.strictObject({
  pointer: described(
    v.string(),
    'A JSON Pointer into the body, `?name` of a parameter, or a header.',
    '/title',
  ),
  code: described(
    v.string(),
    `What is wrong, for programs: ${fieldErrorCodes.map((code) => `\`${code}\``).join(', ')}. New codes can be added.`,
    'required',
  ),
  message: described(v.string(), 'What is wrong, for people.', 'title is required'),
})

const optional = <const Schema extends v.GenericSchema>(
  schema: Schema,
  description: string,
  example: unknown,
) => v.optional(described(schema, description, example))

const whole = v.pipe(v.number(), v.integer())

/** What some codes add. */
const additions = {
  required_scope: optional(v.string(), 'With 403: the scope that the key needs.', 'write'),
  required_option: optional(
    v.string(),
    'With 403: the option that the key needs.',
    'allow_auto_ready',
  ),
  version: optional(whole, 'With 412: the present version.', 4),
  from: optional(v.string(), 'With `invalid_transition`: the present status.', 'draft'),
  to: optional(v.string(), 'With `invalid_transition`: the requested status.', 'sent'),
  allowed: optional(
    v.array(v.string()),
    'With `invalid_transition`: the statuses that are possible.',
    ['in_progress'],
  ),
  missing: optional(
    v.array(v.string()),
    'With `invalid_transition` and `embargoed`: what prevents the status.',
    ['subject_line is missing'],
  ),
  newsletter: optional(
    v.strictObject({
      id: described(v.string(), 'Its id.', 'nl_019a9f3e2b7c7d10a3b4c5d6e7f80912'),
      title: described(v.string(), 'Its title.', 'November news'),
    }),
    'With `block_in_use`, when a block is deleted: the newsletter that it is in.',
    { id: 'nl_019a9f3e2b7c7d10a3b4c5d6e7f80912', title: 'November news' },
  ),
  newsletter_block_id: optional(
    v.string(),
    'With `block_in_use`, when a block is added: its id in the newsletter.',
    'nb_019a9f3f41c57e02b1d2c3b4a5968778',
  ),
  position: optional(
    whole,
    'With `block_in_use`, when a block is added: its position in the newsletter.',
    1,
  ),
  own_slug: optional(
    v.nullable(v.string()),
    'With `event_read_only`: the event to change.',
    'summer-party',
  ),
  line: optional(whole, 'With `invalid_json`: the line of the fault.', 1),
  column: optional(whole, 'With `invalid_json`: its column, in characters.', 17),
  retry_after: optional(
    whole,
    'For an item of a bulk request: the seconds after which to send it again.',
    12,
  ),
}

/** A problem document (RFC 9457): every API response that is not a success. Some codes add members. */
export const Problem = v.looseObject({
  type: described(v.string(), 'The page that explains the code.', '/docs/errors#validation_failed'),
  title: described(v.string(), 'The code as a heading.', 'Validation failed'),
  status: described(whole, 'The HTTP status of the response.', 422),
  code: described(
    v.string(),
    'What programs decide by. New codes can be added.',
    'validation_failed',
  ),
  detail: described(v.string(), 'What happened, for people.', 'title is required'),
  error: described(v.string(), 'The same as `detail`, for simple clients.', 'title is required'),
  errors: described(v.array(v.string()), 'One sentence for each error.', ['title is required']),
  fields: v.optional(
    described(v.array(FieldError), 'The parts of the input that are wrong, all at once.', [
      { pointer: '/title', code: 'required', message: 'title is required' },
    ]),
  ),
  request_id: described(
    v.string(),
    'The same as `X-Request-Id`. The log of the service contains it.',
    '019a9f3e-2b7c-7d10-a3b4-c5d6e7f80912',
  ),
  ...additions,
})
