import type { Form } from '../../base/bytes/form.ts'
import { textIn } from '../../base/json/json.ts'
import type { Endpoint } from '../model/endpoint.ts'
import { createTokenEstimator } from '../tokenizer/estimate.ts'
import { whisperTokens } from '../tokenizer/recording-size.ts'

/** How long the recordings of a request are together. */
export type SecondsOf = (recordings: Form) => Promise<number>

/** What an input is made of: the members of the body, and the form they came in, with what tells the seconds of its recordings. */
export type Input = Readonly<{
  endpoint: Endpoint
  json: Readonly<Record<string, unknown>>
  form: Form | null
  seconds: SecondsOf | null
}>

/** An image to edit, as `gpt-image-1` counts it at most (OpenAI, "Image generation": input fidelity). */
export const PER_IMAGE = 6560

/**
 * Tokens of an input that is not counted as text: characters of what `tts-1` speaks, the minutes of a recording,
 * images to edit (docs/reference/billing.md#sound, docs/reference/billing.md#images); null for all other calls.
 */
export async function knownInput({ endpoint, json, form, seconds }: Input, model: string): Promise<number | null> {
  if (endpoint === 'speech') return isByCharacter(model) ? charactersOf(textIn(json.input) ?? '') : null
  if (endpoint === 'image-edits')
    return textSize(model, json.prompt) + PER_IMAGE * (form ? form.filter(isFile).length : imagesIn(json))
  if (!form) return null
  return seconds && whisperTokens(await seconds(form.filter(isFile)))
}

/** The images that a JSON body names: one or a list, and a mask. */
function imagesIn({ image, images, mask }: Readonly<Record<string, unknown>>): number {
  const count = (value: unknown) => {
    if (Array.isArray(value)) return value.length
    return value === undefined || value === null ? 0 : 1
  }
  return count(image) + count(images) + count(mask)
}

/** Whether a model of speech is billed by the character. */
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
