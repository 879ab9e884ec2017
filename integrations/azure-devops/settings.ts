import * as v from 'valibot'
import { list, secret } from '../kit/adapter.ts'

/** The settings of a connection; see the README beside this file. */
export const Settings = v.object({
  /** Azure DevOps sends it as the password of basic authentication, and signs nothing. */
  password: secret({ own: true }),
  /** The stages of releases whose deployments become items; without them, those that begin with `prod`. */
  environments: list(),
  /** The types of work items that become items; without them, epics and features. */
  work_item_types: list(),
  /** The states in which a work item is done; without them, those of the processes of Azure DevOps. */
  done_states: list(),
  /** Only these projects; all when empty. */
  projects: list(),
})

export type Settings = v.InferOutput<typeof Settings>
