import { refuse } from '../base/errors.ts'
import { isObject, type JsonObject, objectIn, objectsIn, textIn } from '../base/json.ts'

/** One deployment of `model_list`. */
export type Deployment = Readonly<{ name: string; params: JsonObject; info: JsonObject }>

/** The parts of LiteLLM's config.yaml that are read. */
export type LitellmFile = Readonly<{
  deployments: readonly Deployment[]
  litellm: JsonObject
  router: JsonObject
  general: JsonObject
  variables: JsonObject
  /** Names of the file's first level that nobody here knows. */
  others: readonly string[]
}>

/** Bytes of such a file that are read. */
export const MAX_YAML = 512 * 1024
const parts = ['model_list', 'litellm_settings', 'router_settings', 'general_settings', 'environment_variables']

/** Reads the text of a config.yaml; refuses what is none, and one that repeats or nests itself beyond measure. */
export async function litellmFile(text: string): Promise<LitellmFile> {
  const whole = await read(text)
  if (!isObject(whole) || !Array.isArray(whole.model_list)) throw refuse('invalid', 'import.not_known')
  return {
    deployments: objectsIn(whole.model_list).map((entry) => ({
      name: textIn(entry.model_name)?.trim() ?? '',
      params: objectIn(entry.litellm_params),
      info: objectIn(entry.model_info),
    })),
    litellm: objectIn(whole.litellm_settings),
    router: objectIn(whole.router_settings),
    general: objectIn(whole.general_settings),
    variables: objectIn(whole.environment_variables),
    others: Object.keys(whole).filter((name) => !parts.includes(name)),
  }
}

async function read(text: string): Promise<unknown> {
  const { readYaml } = await import('./yaml-thread.ts')
  const found = await readYaml(text)
  if ('isSlow' in found) throw refuse('invalid', 'import.slow')
  if ('line' in found) throw refuse('invalid', 'import.bad_yaml', { line: found.line })
  return found.value
}
