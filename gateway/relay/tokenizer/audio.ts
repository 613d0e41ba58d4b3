import { objectIn, textIn } from '../../base/json/json.ts'

export type AudioFormat = Readonly<{ inputBytes: number; outputBytes: number }>

/** Bytes per second of PCM, the default of sessions: 24,000 samples of two bytes. */
const PCM = 48_000
const TELEPHONE = 8000

/** The audio of a session before it sets formats. */
export const plainAudio: AudioFormat = { inputBytes: PCM, outputBytes: PCM }

/**
 * Returns the formats in a session object, in the form of the general or the beta interface; those that it does not set
 * are as in `before`.
 */
export function audioOf(session: unknown, before: AudioFormat): AudioFormat {
  const { audio, input_audio_format: inputBytes, output_audio_format: outputBytes } = objectIn(session)
  const { input, output } = objectIn(audio)
  return {
    inputBytes: bytesOf(objectIn(input).format ?? inputBytes, before.inputBytes),
    outputBytes: bytesOf(objectIn(output).format ?? outputBytes, before.outputBytes),
  }
}

function bytesOf(format: unknown, before: number): number {
  const name = textIn(format) ?? textIn(objectIn(format).type)
  if (name === undefined) return before
  if (/g711|pcm[ua]$/.test(name)) return TELEPHONE
  const { rate } = objectIn(format)
  return typeof rate === 'number' && rate >= TELEPHONE ? rate * 2 : PCM
}

export function audioBytes(base64: unknown): number {
  const text = textIn(base64) ?? ''
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='))
  return Math.max(Math.floor((text.length * 3) / 4) - padding, 0)
}

/** Returns the tokens of audio input if the upstream reports none: docs/reference/tokens.md#realtime-audio. */
export const audioInputTokens = (seconds: number): number => Math.ceil(((seconds / 60) * 100) / 0.06)
export const audioOutputTokens = (seconds: number): number => Math.ceil(((seconds / 60) * 200) / 0.24)
