import { objectIn, textIn } from '../../base/json/json.ts'

/** Bytes of a second of sound as it comes in, and as it goes out. */
export type Sound = Readonly<{ heard: number; said: number }>

/** 24,000 samples a second of two bytes, which is what sessions begin with. */
const PCM = 48_000
const TELEPHONE = 8000

/** The sound of a session until it says otherwise. */
export const plainSound: Sound = { heard: PCM, said: PCM }

/** The formats that a session object names, in the shape of the general or of the beta interface. */
export function soundOf(session: unknown, before: Sound): Sound {
  const { audio, input_audio_format: heard, output_audio_format: said } = objectIn(session)
  const { input, output } = objectIn(audio)
  return {
    heard: bytesOf(objectIn(input).format ?? heard, before.heard),
    said: bytesOf(objectIn(output).format ?? said, before.said),
  }
}

function bytesOf(format: unknown, before: number): number {
  const name = textIn(format) ?? textIn(objectIn(format).type)
  if (name === undefined) return before
  if (/g711|pcm[ua]$/.test(name)) return TELEPHONE
  const { rate } = objectIn(format)
  return typeof rate === 'number' && rate >= TELEPHONE ? rate * 2 : PCM
}

/** The bytes that a text in base64 stands for. */
export function soundBytes(base64: unknown): number {
  const text = textIn(base64) ?? ''
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='))
  return Math.max(Math.floor((text.length * 3) / 4) - padding, 0)
}

/** Tokens of sound heard where the upstream tells none: the lengths of docs/reference/tokens.md#realtime-sound. */
export const heardTokens = (seconds: number): number => Math.ceil(((seconds / 60) * 100) / 0.06)
/** Tokens of sound that was said. */
export const saidTokens = (seconds: number): number => Math.ceil(((seconds / 60) * 200) / 0.24)
