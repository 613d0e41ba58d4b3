import { GatewayError } from '../../base/errors.ts'
import { isObject, objectIn, textIn } from '../../base/json/json.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { Conversation, MediaPart, Part, Tool } from '../formats/conversation.ts'
import type { Call } from '../model/call.ts'
import { isConversation } from '../model/endpoint.ts'
import { createTokenEstimator } from './estimate.ts'

/** The input of a call for counting: its texts, and tokens for everything else (docs/reference/tokens.md#prompts). */
export type Prompt = Readonly<{ texts: readonly string[]; extra: number }>

const PER_MESSAGE = 3
const PER_NAME = 3
const REPLY_PRIMING = 3
const PER_TOOL = 8
const PER_AUDIO = 256
const PER_DOCUMENT = 5000
/** More than any vendor accepts; the size of further images counts as unknown. */
const MAX_MEASURED_IMAGES = 4000
const UNMEASURED = { type: 'url', url: '' } as const

type CountImage = (model: string, image: MediaPart) => number

export type PromptDeps = Readonly<{ codecs: Codecs; imageSize: CountImage }>

/** Returns the input of a call in any dialect; a body that cannot be read as a conversation counts as its text. */
export function promptOf({ codecs, imageSize }: PromptDeps, call: Call): Prompt {
  if (!isConversation(call.endpoint)) return plainPrompt(call)
  try {
    const conversation = codecs[call.format].decodeRequest(call.json, call.model, call.stream)
    return promptIn(conversation, (image) => imageSize(call.model, image))
  } catch (cause) {
    if (!(cause instanceof GatewayError)) throw cause
    return { texts: [call.bytes.toString('utf8')], extra: 0 }
  }
}

export function promptIn(conversation: Conversation, imageSize: (image: MediaPart) => number): Prompt {
  const texts: string[] = []
  let extra = REPLY_PRIMING
  let images = 0
  const sizeOfImage = (image: MediaPart) => {
    images += 1
    return imageSize(images > MAX_MEASURED_IMAGES ? { ...image, source: UNMEASURED } : image)
  }
  const take = (part: Part): void => {
    if (part.type === 'tool-result') for (const inner of part.content) take(inner)
    else if (part.type === 'media') extra += sizeOf(part, sizeOfImage, texts)
    else if (part.type === 'tool-call') texts.push(part.name, part.arguments)
    else if (part.type === 'extra') texts.push(JSON.stringify(part.value))
    else if (part.type === 'text' && part.search)
      texts.push(part.original ? JSON.stringify(part.original.value) : part.text)
    else texts.push(part.text)
  }
  for (const turn of conversation.turns) {
    extra += PER_MESSAGE + (turn.name === undefined ? 0 : PER_NAME)
    texts.push(turn.role)
    for (const part of turn.parts) take(part)
  }
  for (const tool of conversation.tools) {
    extra += PER_TOOL
    texts.push(toolText(tool))
  }
  if (conversation.output?.type === 'schema') texts.push(JSON.stringify(conversation.output.schema))
  return { texts, extra }
}

/** Separates the texts of a list, which are not one word, however short. */
const SEPARATOR = '\n'

export function promptSize(deps: PromptDeps, call: Call): number {
  const estimator = createTokenEstimator(call.model)
  const { texts, extra } = promptOf(deps, call)
  const between = isConversation(call.endpoint) ? '' : SEPARATOR
  for (const text of texts) estimator.add(text + between)
  return estimator.tokens() + extra
}

function sizeOf(part: MediaPart, imageSize: (image: MediaPart) => number, texts: string[]): number {
  if (part.kind === 'image') return imageSize(part)
  if (part.kind === 'audio') return PER_AUDIO
  if (part.source.type !== 'text') return PER_DOCUMENT
  texts.push(part.source.text)
  return 0
}

function toolText(tool: Tool): string {
  if (tool.type === 'hosted') return tool.kind
  if (tool.type === 'extra') return JSON.stringify(tool.value)
  if (tool.type === 'custom') return [tool.name, tool.description ?? ''].join('\n')
  return [tool.name, tool.description ?? '', JSON.stringify(tool.parameters ?? {})].join('\n')
}

const FIELDS = ['prompt', 'input', 'instruction', 'query', 'documents', 'content', 'requests', 'texts', 'instances']

/** Collects the texts of other requests from any depth; tokens sent as numbers are counted directly. */
function plainPrompt({ json, input }: Call): Prompt {
  if (input !== null) return { texts: [], extra: input }
  const texts: string[] = []
  let extra = 0
  const take = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (typeof value === 'number') extra += 1
    else if (Array.isArray(value)) for (const item of value) take(item)
    else if (isObject(value)) {
      const text = textIn(value.text)
      if (text !== undefined) texts.push(text)
      else take(value.parts ?? value.prompt ?? objectIn(value.content).parts)
    }
  }
  for (const field of FIELDS) take(json[field])
  return { texts, extra }
}
