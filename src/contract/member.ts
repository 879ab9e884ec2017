import * as v from 'valibot'
import { described } from './described.ts'
import { memberRoles } from './vocabulary.ts'

/** A member of the team, as far as a sender of previews has to know. */
export const Member = v.strictObject({
  id: described(v.string(), 'The id of the member.', 'mb_019a9f3e2b7c7d10a3b4c5d6e7f80912'),
  name: described(v.string(), 'The name of the member.', 'Ada Lovelace'),
  email: described(
    v.pipe(v.string(), v.email()),
    'The email address, for `recipients` of `send_preview`.',
    'ada@acme.example',
  ),
  role: described(v.picklist(memberRoles), 'What the member may do in the console.', 'editor'),
})
export type Member = v.InferOutput<typeof Member>
