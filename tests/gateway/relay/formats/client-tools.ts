import type { ClientTool, ClientTools } from '../../../../gateway/relay/formats/codec.ts'

/** The client's tools with text input, which the upstream knows as functions with the same names. */
export const takingText = (...names: readonly string[]): ClientTools =>
  new Map(names.map((name): [string, ClientTool] => [name, { name, shape: 'custom' }]))
