import type { Conversation } from '../formats/conversation.ts'

/** What a model's name asks for besides the model: how it is written into the caller's own body, or into a conversation. */
export type ModelSuffix = Readonly<{
  /** The upstream's name, without what the name asks for. */
  model: string
  /** Members of the caller's own body; undefined leaves one out. */
  edits: ReadonlyMap<string, unknown>
  adapt: (conversation: Conversation) => Conversation
}>

/** A name that asks for the model and nothing else. */
export const noSuffix = (model: string): ModelSuffix => ({ model, edits: NOTHING, adapt: same })

const NOTHING: ReadonlyMap<string, unknown> = new Map()
const same = (conversation: Conversation): Conversation => conversation
