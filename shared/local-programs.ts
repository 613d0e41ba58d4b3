import { channelTypes } from './channel-types.ts'

/** The programs that are looked for on this machine, in the order they are shown (docs/reference/local-models.md#programs). */
export const localProgramNames = ['ollama', 'lm-studio', 'llama-cpp', 'vllm', 'jan', 'openai'] as const
export type LocalProgramName = (typeof localProgramNames)[number]

/** One program: what people call it, the port it has unless told otherwise, and the channel that asks it. */
type LocalProgram = Readonly<{
  label: string
  /** 0 for whatever else speaks OpenAI's API, which is met only at addresses that somebody enters. */
  port: number
  /** The type of the channel. */
  type: number
  /** What is set on the channel beside what all of them have. */
  setting: Readonly<Record<string, unknown>>
}>

/** Their Responses, where they have them, know functions alone (docs/reference/selection.md#channel-settings). */
const compatible = { type: channelTypes.openai.id, setting: { api_format: 'chat', tools_as_functions: true } } as const

/**
 * Ports as the makers' documents have them: Ollama's API reference, LM Studio's REST API, the README of llama.cpp's server,
 * vLLM's `serve`, Jan's local API server.
 */
export const localPrograms = {
  ollama: { label: 'Ollama', port: 11_434, type: channelTypes.ollama.id, setting: { tools_as_functions: true } },
  'lm-studio': { label: 'LM Studio', port: 1234, ...compatible },
  'llama-cpp': { label: 'llama.cpp', port: 8080, ...compatible },
  vllm: { label: 'vLLM', port: 8000, ...compatible },
  jan: { label: 'Jan', port: 1337, ...compatible },
  openai: { label: 'OpenAI API', port: 0, ...compatible },
} as const satisfies Record<LocalProgramName, LocalProgram>

/** The programs that are looked for where nobody says an address. */
export const lookedFor = localProgramNames.filter((name) => localPrograms[name].port > 0)
