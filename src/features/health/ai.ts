import * as v from 'valibot'
import type { HealthCheckContext } from './context.ts'
import { type Finding, failing, ok, warning } from './finding.ts'

const check = 'AI'
const responseTimeoutMs = 5_000
const checkService = 'Check AI_BASE_URL, and whether the service works.'

/** https://platform.openai.com/docs/api-reference/models/list */
const Models = v.object({ data: v.array(v.object({ id: v.string() })) })

/** Whether the AI service is reachable, accepts the key and has the model; asks it to write nothing. */
export async function checkAi({ settings: { ai } }: HealthCheckContext): Promise<Finding[]> {
  if (ai === null) return []
  try {
    const response = await fetch(`${ai.baseUrl}/models`, {
      headers: ai.apiKey === null ? {} : { authorization: `Bearer ${ai.apiKey}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
    return [findingOf(response.status, await readModels(response), ai.model)]
  } catch {
    return [failing(check, 'The AI service is not reachable from this machine.', checkService)]
  }
}

/** The names of the models, or null when the service does not list them. */
async function readModels(response: Response): Promise<readonly string[] | null> {
  const models = v.safeParse(Models, await response.json().catch(() => null))
  return models.success ? models.output.data.map(({ id }) => id) : null
}

function findingOf(status: number, models: readonly string[] | null, model: string): Finding {
  if (status === 401 || status === 403) {
    return failing(check, 'The AI service refuses the key.', 'Correct AI_API_KEY.')
  }
  // Some services do not list their models.
  if (status !== 200 && status !== 404 && status !== 405) {
    return failing(check, `The AI service answers ${status}.`, checkService)
  }
  if (models === null || models.includes(model)) return ok(check, 'The AI service is reachable.')
  const action = 'Check AI_MODEL, unless drafts are written: some services list only a part.'
  return warning(check, `The AI service does not list the model ${model}.`, action)
}
