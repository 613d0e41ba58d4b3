import { channelTypes } from './channel-types.ts'

/** The local programs, in display order (docs/reference/local-models.md#programs). */
export const localProgramNames = ['ollama', 'lm-studio', 'llama-cpp', 'vllm', 'jan', 'openai'] as const
export type LocalProgramName = (typeof localProgramNames)[number]

/** A program: its name, default port, and channel. */
type LocalProgram = Readonly<{
  label: string
  /** 0 for any other program with OpenAI's API, found only at entered addresses. */
  port: number
  type: number
  /** Additional channel settings. */
  setting: Readonly<Record<string, unknown>>
}>

/** For programs whose Responses API, if any, supports only functions (docs/reference/selection.md#channel-settings). */
const compatible = { type: channelTypes.openai.id, setting: { api_format: 'chat', tools_as_functions: true } } as const

/**
 * Ports as documented by their makers: Ollama's API reference, LM Studio's REST API, the README of llama.cpp's
 * server, vLLM's `serve`, Jan's local API server.
 */
export const localPrograms = {
  ollama: { label: 'Ollama', port: 11_434, type: channelTypes.ollama.id, setting: { tools_as_functions: true } },
  'lm-studio': { label: 'LM Studio', port: 1234, ...compatible },
  'llama-cpp': { label: 'llama.cpp', port: 8080, ...compatible },
  vllm: { label: 'vLLM', port: 8000, ...compatible },
  jan: { label: 'Jan', port: 1337, ...compatible },
  openai: { label: 'OpenAI API', port: 0, ...compatible },
} as const satisfies Record<LocalProgramName, LocalProgram>

/** The programs to detect without an entered address. */
export const lookedFor = localProgramNames.filter((name) => localPrograms[name].port > 0)
