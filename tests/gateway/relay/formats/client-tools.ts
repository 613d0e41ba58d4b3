import type { ClientTool, ClientTools } from '../../../../gateway/relay/formats/codec.ts'

/** Client tools with text input, offered to the upstream as functions of the same names. */
export const takingText = (...names: readonly string[]): ClientTools =>
  new Map(names.map((name): [string, ClientTool] => [name, { name, shape: 'custom' }]))
