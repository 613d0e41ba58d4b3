import { z } from 'zod'
import { type LocalProgramName, localProgramNames } from '../../../shared/local-programs.ts'
import { objectIn } from '../../base/json.ts'
import type { AskProgram, NoAnswer, ProgramAnswer } from './ask-program.ts'

/** A model of a program; bytes are 0 where the program does not say. */
type LocalModel = Readonly<{ name: string; bytes: number }>

/**
 * What is at an address (docs/reference/local-models.md#states). `program` is undefined where nobody can tell; `left` are
 * models whose names no channel can hold.
 */
export type Recognised = Readonly<
  | { state: 'found'; program: LocalProgramName; models: readonly LocalModel[]; left: number }
  | { state: 'needs_key'; program: LocalProgramName | undefined }
  | { state: 'offline' | 'silent' }
  | { state: 'other'; status: number }
>

/** Which port each program is looked for at. */
export type LocalPorts = Readonly<Record<LocalProgramName, number>>

const MAX_MODELS = 500
const MAX_NAME_LENGTH = 255

/** Others that speak OpenAI's API say more or less than this of a model. */
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
    // Ollama without any model says null.
    .nullable(),
})
const ollamaTags = z.object({
  models: z.array(z.object({ name: z.string(), size: z.number().catch(0) })).nullable(),
})
const lmStudioList = z.object({
  data: z.array(z.object({ id: z.string(), type: z.string(), state: z.string() })),
})

/**
 * Tells which program is at an address, of what only that one says: llama.cpp's server and vLLM call themselves the owner of
 * their models (`owned_by` in `tools/server/server-context.cpp`, and in `ModelCard` of vLLM's protocol); Ollama has
 * `/api/tags`, LM Studio `/api/v0/models` with a type and a state for each model, as their API references say. Jan proxies
 * llama.cpp and says nothing of its own: it is known by its port. Whatever else has the list of OpenAI is `openai`.
 */
export async function recognise(ask: AskProgram, base: string, key: string, ports: LocalPorts): Promise<Recognised> {
  const first = await ask(base, '/v1/models', key)
  if (first === 'broken') return { state: 'other', status: 0 }
  if (typeof first === 'string') return { state: first === 'refused' ? 'offline' : 'silent' }
  if (first.status === 401 || first.status === 403) return { state: 'needs_key', program: guarded(base, first, ports) }
  const list = first.status === 200 ? openaiList.safeParse(short(first.json, 'data')).data : undefined
  if (!list) return { state: 'other', status: first.status }
  const owner = list.data?.[0]?.owned_by
  if (portOf(base) === ports.jan) return found('jan', named(list))
  if (owner === 'llamacpp') return found('llama-cpp', named(list))
  if (owner === 'vllm') return found('vllm', named(list))
  const tags = ollamaTags.safeParse(short(jsonOf(await ask(base, '/api/tags', key)), 'models')).data
  if (tags) return found('ollama', tags.models?.map(({ name, size }) => ({ name, bytes: size })) ?? [])
  const studio = lmStudioList.safeParse(short(jsonOf(await ask(base, '/api/v0/models', key)), 'data')).data
  if (studio)
    return found(
      'lm-studio',
      studio.data.map(({ id }) => ({ name: id, bytes: 0 })),
    )
  return found('openai', named(list))
}

const named = ({ data }: z.output<typeof openaiList>): LocalModel[] =>
  (data ?? []).map(({ id, meta }) => ({ name: id, bytes: meta?.size ?? 0 }))

/** An answer with as much of its list as is worth checking. */
function short(json: unknown, name: string): unknown {
  const list = objectIn(json)[name]
  return Array.isArray(list) ? { ...objectIn(json), [name]: list.slice(0, 2 * MAX_MODELS) } : json
}

const jsonOf = (answer: ProgramAnswer | NoAnswer): unknown =>
  typeof answer === 'string' || answer.status !== 200 ? undefined : answer.json

/** Who keeps its list behind a key: llama.cpp's server has a header, for the others their port speaks. */
function guarded(base: string, { server }: ProgramAnswer, ports: LocalPorts): LocalProgramName | undefined {
  if (/^llama\.cpp\b/.test(server)) return 'llama-cpp'
  const port = portOf(base)
  return localProgramNames.find((name) => ports[name] === port)
}

const portOf = (base: string): number => Number(new URL(base).port) || 80

/** Names as they are told; those that a comma list cannot hold, or nobody could read, are counted instead. */
function found(program: LocalProgramName, told: readonly LocalModel[]): Recognised {
  const byName = new Map<string, LocalModel>()
  for (const { name, bytes } of told)
    if (isName(name) && byName.size < MAX_MODELS)
      byName.set(name, { name, bytes: Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0 })
  const different = new Set(told.map(({ name }) => name)).size
  return { state: 'found', program, models: [...byName.values()], left: different - byName.size }
}

/** No comma, nothing that is not seen or turns the writing direction, no white space around it. */
const isName = (name: string): boolean =>
  name !== '' && name.trim() === name && name.length <= MAX_NAME_LENGTH && !/[,\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)
