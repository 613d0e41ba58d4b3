import type { Form } from '../../base/bytes/form.ts'
import { textIn } from '../../base/json/json.ts'
import type { Endpoint } from '../model/endpoint.ts'
import { createTokenEstimator } from '../tokenizer/estimate.ts'
import { whisperTokens } from '../tokenizer/recording-size.ts'

export type SecondsOf = (recordings: Form) => Promise<number>

/** The members of the body, and the form they came in, with a function that measures its recordings. */
type Input = Readonly<{
  endpoint: Endpoint
  json: Readonly<Record<string, unknown>>
  form: Form | null
  seconds: SecondsOf | null
}>

/** Maximum tokens of an image to edit in `gpt-image-1` (OpenAI, "Image generation": input fidelity). */
export const PER_IMAGE = 6560

/**
 * Tokens of an input that is known before the call: characters that `tts-1` speaks, the minutes of a recording, images
 * to edit with their prompt (docs/reference/billing.md#audio, docs/reference/billing.md#images); null for all other
 * calls.
 */
export async function knownInput({ endpoint, json, form, seconds }: Input, model: string): Promise<number | null> {
  if (endpoint === 'speech') return isByCharacter(model) ? charactersOf(textIn(json.input) ?? '') : null
  if (endpoint === 'image-edits')
    return textSize(model, json.prompt) + PER_IMAGE * (form ? form.filter(isFile).length : imagesIn(json))
  if (!form) return null
  return seconds && whisperTokens(await seconds(form.filter(isFile)))
}

/** The images of a JSON body: one or a list, and a mask. */
function imagesIn({ image, images, mask }: Readonly<Record<string, unknown>>): number {
  const count = (value: unknown) => {
    if (Array.isArray(value)) return value.length
    return value === undefined || value === null ? 0 : 1
  }
  return count(image) + count(images) + count(mask)
}

export const isByCharacter = (model: string): boolean => model.startsWith('tts-1')

/** Unicode characters, not UTF-16 units. */
function charactersOf(text: string): number {
  let characters = 0
  for (const _ of text) characters += 1
  return characters
}

function textSize(model: string, text: unknown): number {
  const estimator = createTokenEstimator(model)
  estimator.add(textIn(text) ?? '')
  return estimator.tokens()
}

const isFile = ({ fileName }: Form[number]): boolean => fileName !== null
