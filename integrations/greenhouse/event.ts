import * as v from 'valibot'
import { providerText } from '../kit/text/plain-text.ts'

// All fields that are not named here are dropped before anything is stored or logged: payloads
// contain pay, home addresses, private email addresses, résumés and recruiters.

const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const Mark = v.nullish(v.boolean(), false)
const Text = v.nullish(providerText, null)

/** The name of a department or an office. */
const Named = v.object({ name: Text })
const NamedList = v.nullish(v.array(Named), [])

/** `hire_candidate`. https://developers.greenhouse.io/webhooks.html#candidate-hired */
export const Hire = v.pipe(
  v.object({
    application: v.object({
      id: Id,
      is_private: Mark,
      candidate: v.object({ first_name: Text, last_name: Text, is_private: Mark }),
      // `job` beside it is deprecated.
      jobs: v.nullish(
        v.array(
          v.object({ name: Text, confidential: Mark, departments: NamedList, offices: NamedList }),
        ),
        [],
      ),
      offer: v.nullish(v.object({ starts_at: Text }), null),
    }),
  }),
  v.transform(({ application }) => ({ kind: 'hired', application }) as const),
)
export type Hire = v.InferOutput<typeof Hire>

const withdrawn = (applications: number[]) => ({ kind: 'withdrawn', applications }) as const

/**
 * `unhire_candidate`, `delete_application` and `delete_candidate`: the ids of the applications that
 * are withdrawn.
 */
export const Withdrawal = v.union([
  v.pipe(
    v.object({ application: v.object({ id: Id }) }),
    v.transform(({ application }) => withdrawn([application.id])),
  ),
  v.pipe(
    v.object({
      person: v.object({
        deleted_application_ids: v.nullish(v.pipe(v.array(Id), v.maxLength(1000)), []),
      }),
    }),
    v.transform(({ person }) => withdrawn(person.deleted_application_ids)),
  ),
])

export type Withdrawal = v.InferOutput<typeof Withdrawal>

/** The stored event. */
export type GreenhouseEvent = Hire | Withdrawal

/** The other actions that Greenhouse documents, so that a new one is noticed. */
export const otherActions: ReadonlySet<string> = new Set(
  `
  application_updated candidate_anonymized candidate_stage_change department_deleted
  interview_deleted job_approved job_created job_deleted job_interview_stage_deleted
  job_post_created job_post_deleted job_post_updated job_updated merge_candidate
  new_candidate_application new_prospect_application offer_approved offer_created offer_deleted
  offer_updated office_deleted reject_candidate scorecard_deleted unreject_candidate
  update_candidate
  `
    .trim()
    .split(/\s+/),
)
