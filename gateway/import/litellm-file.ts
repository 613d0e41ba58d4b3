import { refuse } from '../base/errors.ts'
import { isObject, type JsonObject, objectIn, objectsIn, textIn } from '../base/json/json.ts'

export type Deployment = Readonly<{ name: string; params: JsonObject; info: JsonObject }>

/** The parts of LiteLLM's config.yaml that are read. */
export type LitellmFile = Readonly<{
  deployments: readonly Deployment[]
  litellm: JsonObject
  router: JsonObject
  general: JsonObject
  variables: JsonObject
  others: readonly string[]
}>

export const MAX_YAML = 512 * 1024
const parts = ['model_list', 'litellm_settings', 'router_settings', 'general_settings', 'environment_variables']

/** Parses a config.yaml; throws if it is not one, or if aliases or nesting are excessive. */
export async function litellmFile(text: string): Promise<LitellmFile> {
  const root = await read(text)
  if (!isObject(root) || !Array.isArray(root.model_list)) throw refuse('invalid', 'import.not_known')
  return {
    deployments: objectsIn(root.model_list).map((entry) => ({
      name: textIn(entry.model_name)?.trim() ?? '',
      params: objectIn(entry.litellm_params),
      info: objectIn(entry.model_info),
    })),
    litellm: objectIn(root.litellm_settings),
    router: objectIn(root.router_settings),
    general: objectIn(root.general_settings),
    variables: objectIn(root.environment_variables),
    others: Object.keys(root).filter((name) => !parts.includes(name)),
  }
}

async function read(text: string): Promise<unknown> {
  const { readYaml } = await import('./yaml-thread.ts')
  const found = await readYaml(text)
  if ('isSlow' in found) throw refuse('invalid', 'import.slow')
  if ('line' in found) throw refuse('invalid', 'import.bad_yaml', { line: found.line })
  return found.value
}
