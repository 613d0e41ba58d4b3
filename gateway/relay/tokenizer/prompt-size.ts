import { GatewayError } from '../../base/errors.ts'
import { yieldToOthers } from '../../base/fair-yield.ts'
import { isLong, namesAndTexts } from '../../base/json/json.ts'
import { LARGE, SMALL } from '../../base/json/json-scan.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { Conversation, MediaPart, Part, Tool } from '../formats/conversation.ts'
import type { Call } from '../model/call.ts'
import { decodedRequest } from '../model/decoded-request.ts'
import { isConversation } from '../model/endpoint.ts'
import { createTokenEstimator } from './estimate.ts'
import { imageTokens } from './images.ts'
import { plainInputOf } from './plain-input.ts'

/** The input of a call for counting: its texts, and tokens for everything else (docs/reference/tokens.md#prompts). */
type Prompt = Readonly<{ texts: readonly string[]; extra: number }>

const PER_MESSAGE = 3
const PER_NAME = 3
const REPLY_PRIMING = 3
const PER_TOOL = 8
const PER_AUDIO = 256
const PER_DOCUMENT = 5000
/** Max images that are measured, more than any vendor accepts; the size of further images counts as unknown. */
export const MAX_MEASURED_IMAGES = 4000
const UNMEASURED = { type: 'url', url: '' } as const

type CountImage = (model: string, image: MediaPart) => number

export type PromptDeps = Readonly<{ codecs: Codecs; imageSize: CountImage }>

/** Returns the input of a call in any dialect; a body that cannot be read as a conversation counts as its text. */
export function promptOf({ codecs, imageSize }: PromptDeps, call: Call): Prompt {
  if (!isConversation(call.endpoint)) return plainPrompt(call)
  try {
    const conversation = decodedRequest(codecs, call)
    return promptIn(conversation, (image) => imageSize(call.model, image))
  } catch (cause) {
    if (!(cause instanceof GatewayError)) throw cause
    return { texts: [call.bytes.toString('utf8')], extra: 0 }
  }
}

function plainPrompt({ model, json, input }: Call): Prompt {
  if (input !== null) return { texts: [], extra: input }
  const { texts, numbers, images, documents } = plainInputOf(json)
  return { texts, extra: numbers + images * imageTokens(model, undefined, undefined) + documents * PER_DOCUMENT }
}

function promptIn(conversation: Conversation, imageSize: (image: MediaPart) => number): Prompt {
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
    else if (part.type === 'extra') addJson(texts, part.value)
    else if (part.type === 'text' && part.search && part.original) addJson(texts, part.original.value)
    else texts.push(part.text)
  }
  for (const turn of conversation.turns) {
    extra += PER_MESSAGE + (turn.name === undefined ? 0 : PER_NAME)
    texts.push(turn.role)
    for (const part of turn.parts) take(part)
  }
  for (const tool of conversation.tools) {
    extra += PER_TOOL
    addTool(texts, tool)
  }
  if (conversation.output?.type === 'schema') addJson(texts, conversation.output.schema)
  return { texts, extra }
}

/** Separates the texts of a list, which are not one word, however short. */
const SEPARATOR = '\n'

/** Sizes measured so far, by the parsed body. */
const sizes = new WeakMap<object, Readonly<{ model: string; tokens: number }>>()

/** Estimated tokens of a prompt; measured once per request. */
export function promptSize(deps: PromptDeps, call: Call): number {
  const known = sizes.get(call.json)
  if (known?.model === call.model) return known.tokens
  const tokens = estimated(deps, call)
  sizes.set(call.json, { model: call.model, tokens })
  return tokens
}

/**
 * Measures a long prompt when it is the caller's turn; undefined if `promptSize` returns at once anyway. Many requests
 * of one account may need their sizes at the same moment.
 */
export function measured(deps: PromptDeps, call: Call): Promise<void> | undefined {
  if (call.bytes.length <= SMALL || sizes.get(call.json)?.model === call.model) return undefined
  return yieldToOthers().then(() => void promptSize(deps, call))
}

function estimated(deps: PromptDeps, call: Call): number {
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

function addTool(texts: string[], tool: Tool): void {
  if (tool.type === 'hosted') texts.push(tool.kind)
  else if (tool.type === 'extra') addJson(texts, tool.value)
  else {
    const named = [tool.name, tool.description ?? '']
    if (tool.type === 'custom') texts.push(named.join('\n'))
    else addJson(texts, tool.parameters ?? {}, [...named, ''].join('\n'))
  }
}

/** Adds a value as JSON; of a long one, which is estimated from its beginning, only the names and texts. */
function addJson(texts: string[], value: unknown, before = ''): void {
  if (!isLong(value, LARGE)) return void texts.push(before + JSON.stringify(value))
  texts.push(before)
  for (const text of namesAndTexts(value)) texts.push(text)
}
