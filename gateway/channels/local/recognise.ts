import { z } from 'zod'
import { type LocalProgramName, localProgramNames } from '../../../shared/local-programs.ts'
import { objectIn } from '../../base/json/json.ts'
import type { NoAnswer, ProgramAnswer, ProgramQuery } from './program-query.ts'

/** A model of a program; `bytes` is 0 if unknown. */
type LocalModel = Readonly<{ name: string; bytes: number }>

/**
 * The program at an address (docs/reference/local-models.md#states). `program` is undefined if unknown; `left` counts
 * the models left out because their names cannot be stored or there are too many.
 */
export type Recognised = Readonly<
  | { state: 'found'; program: LocalProgramName; models: readonly LocalModel[]; left: number }
  | { state: 'needs_key'; program: LocalProgramName | undefined }
  | { state: 'offline' | 'silent' }
  | { state: 'other'; status: number }
>

export type LocalPorts = Readonly<Record<LocalProgramName, number>>

const MAX_MODELS = 500
const MAX_NAME_LENGTH = 255

/** Lenient, since OpenAI-compatible servers vary. */
const openaiList = z.object({
  object: z.literal('list'),
  data: z
    .array(
      z.object({
        id: z.string(),
        owned_by: z.string().catch(''),
        meta: z.object({ size: z.number() }).nullish().catch(null),
      }),
    )
    // Ollama sends null if it has no models.
    .nullable(),
})
const ollamaTags = z.object({
  models: z.array(z.object({ name: z.string(), size: z.number().catch(0) })).nullable(),
})
const lmStudioList = z.object({
  data: z.array(z.object({ id: z.string(), type: z.string(), state: z.string() })),
})

/**
 * Identifies the program at an address by what is unique to it: llama.cpp's server and vLLM name themselves as the
 * owner of their models (`owned_by` in `tools/server/server-context.cpp`, and in `ModelCard` of vLLM's protocol);
 * Ollama has `/api/tags`, LM Studio `/api/v0/models` with a type and a state for each model, according to their API
 * references. Jan proxies llama.cpp without identifying itself, so it is identified by its port. Anything else with
 * OpenAI's model list is `openai`.
 */
export async function recognise(
  query: ProgramQuery,
  base: string,
  key: string,
  ports: LocalPorts,
): Promise<Recognised> {
  const first = await query(base, '/v1/models', key)
  if (first === 'broken') return { state: 'other', status: 0 }
  if (typeof first === 'string') return { state: first === 'refused' ? 'offline' : 'silent' }
  if (first.status === 401 || first.status === 403) return { state: 'needs_key', program: guarded(base, first, ports) }
  const list = first.status === 200 ? openaiList.safeParse(truncated(first.json, 'data')).data : undefined
  if (!list) return { state: 'other', status: first.status }
  const owner = list.data?.[0]?.owned_by
  if (portOf(base) === ports.jan) return found('jan', modelsOf(list))
  if (owner === 'llamacpp') return found('llama-cpp', modelsOf(list))
  if (owner === 'vllm') return found('vllm', modelsOf(list))
  const tags = ollamaTags.safeParse(truncated(jsonOf(await query(base, '/api/tags', key)), 'models')).data
  if (tags) return found('ollama', tags.models?.map(({ name, size }) => ({ name, bytes: size })) ?? [])
  const studio = lmStudioList.safeParse(truncated(jsonOf(await query(base, '/api/v0/models', key)), 'data')).data
  if (studio)
    return found(
      'lm-studio',
      studio.data.map(({ id }) => ({ name: id, bytes: 0 })),
    )
  return found('openai', modelsOf(list))
}

const modelsOf = ({ data }: z.output<typeof openaiList>): LocalModel[] =>
  (data ?? []).map(({ id, meta }) => ({ name: id, bytes: meta?.size ?? 0 }))

/** Truncates the list of a response before it is validated. */
function truncated(json: unknown, name: string): unknown {
  const list = objectIn(json)[name]
  return Array.isArray(list) ? { ...objectIn(json), [name]: list.slice(0, 2 * MAX_MODELS) } : json
}

const jsonOf = (answer: ProgramAnswer | NoAnswer): unknown =>
  typeof answer === 'string' || answer.status !== 200 ? undefined : answer.json

/** Identifies a program that requires a key: llama.cpp's server by its header, others by their port. */
function guarded(base: string, { server }: ProgramAnswer, ports: LocalPorts): LocalProgramName | undefined {
  if (/^llama\.cpp\b/.test(server)) return 'llama-cpp'
  const port = portOf(base)
  return localProgramNames.find((name) => ports[name] === port)
}

const portOf = (base: string): number => Number(new URL(base).port) || 80

/**
 * Normalizes the models. Counts in `left` the names that a comma-separated list cannot hold, that are not readable, or
 * that exceed `MAX_MODELS`.
 */
function found(program: LocalProgramName, listed: readonly LocalModel[]): Recognised {
  const byName = new Map<string, LocalModel>()
  for (const { name, bytes } of listed)
    if (isName(name) && byName.size < MAX_MODELS)
      byName.set(name, { name, bytes: Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0 })
  const uniqueCount = new Set(listed.map(({ name }) => name)).size
  return { state: 'found', program, models: [...byName.values()], left: uniqueCount - byName.size }
}

/** Rejects commas, invisible or direction-changing characters, and surrounding white space. */
const isName = (name: string): boolean =>
  name !== '' && name.trim() === name && name.length <= MAX_NAME_LENGTH && !/[,\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
