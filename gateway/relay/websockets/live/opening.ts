import type { WebSocket } from 'ws'
import { refuse } from '../../../base/errors.ts'
import { randomKey } from '../../../base/ids.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import { readJsonNow } from '../../../base/json/json-read.ts'
import { LARGE, requestBounds } from '../../../base/json/json-scan.ts'
import { messageIn } from '../../formats/gemini/message.ts'
import { disguisedInside, disguisedMember } from '../../intake/known-members.ts'
import { frameJson } from '../frame-json.ts'
import type { CallerSocket } from '../handshake.ts'
import type { Early, Frame } from '../realtime/greeting.ts'

export type Opening = Readonly<{
  model: string
  /** The frame, parsed again each time: many small values take far more memory than their text. */
  event(): JsonObject
  /** The parsed frame with the upstream's name of the model; no member appears twice. */
  frameFor: (model: string) => Buffer
  /** Also drops the first frame, which `event` and `frameFor` then no longer have, and releases its memory. */
  early: Early
}>

/** Milliseconds within which a caller must configure a session. */
const SETUP_MS = 10_000

/**
 * Waits for the frame that configures a session and names its model (Gemini API, "Live API - WebSockets API reference",
 * "Session configuration"); pauses the caller afterwards. Throws if the first frame does not do this, writes a member
 * in another spelling, is longer than 1 MiB, or does not come in time.
 */
export async function openingOf({ socket: client, release }: CallerSocket): Promise<Opening> {
  const frames: Frame[] = []
  const hear = (data: unknown, isBinary: boolean) => {
    if (Buffer.isBuffer(data)) frames.push({ data, isBinary })
  }
  client.on('message', hear)
  const { data } = await firstOf(client, frames)
  if (data.length > LARGE) throw badSetup('the setup is longer than 1 MiB')
  const json = objectIn(await frameJson(data))
  const { setup } = messageIn(json)
  const named = textIn(objectIn(setup).model) ?? ''
  const model = named.slice(named.lastIndexOf('/') + 1)
  if (model === '') throw refuse('invalid', 'relay.modelMissing', {}, { code: 'model_required', param: 'setup.model' })
  const other = disguisedMember(Object.keys(json)) ?? disguisedInside(setup, new Map())
  if (other !== undefined) throw badSetup(`the field "${other.slice(0, MAX_SHOWN)}" is written in another way`)
  return openingFrom(data, aroundModel(json), model, () => {
    client.off('message', hear)
    release(data)
    return frames.splice(0).slice(1)
  })
}

function openingFrom(data: Buffer, around: AroundModel, model: string, early: Early): Opening {
  let frame: SetupFrame = { data, around }
  return {
    model,
    event: () => objectIn(readJsonNow(frame.data, requestBounds).json),
    frameFor(upstreamModel) {
      const [before, after] = frame.around
      return Buffer.concat([before, Buffer.from(JSON.stringify(pathOf(upstreamModel)).slice(1, -1)), after])
    },
    early() {
      frame = NO_SETUP
      return early()
    },
  }
}

/** The text before and after the model's name. */
type AroundModel = readonly [before: Buffer, after: Buffer]

type SetupFrame = Readonly<{ data: Buffer; around: AroundModel }>

const NO_SETUP: SetupFrame = { data: Buffer.from('{}'), around: [Buffer.alloc(0), Buffer.alloc(0)] }
const MAX_SHOWN = 64

const badSetup = (reason: string) => refuse('invalid', 'relay.badRequest', { reason }, { code: 'setup_required' })

const pathOf = (model: string): string => `models/${model}`

function aroundModel(json: JsonObject): AroundModel {
  const mark = randomKey(MARK_LENGTH)
  const bytes = Buffer.from(JSON.stringify({ ...json, setup: { ...objectIn(json.setup), model: mark } }))
  const start = bytes.indexOf(mark)
  return [bytes.subarray(0, start), bytes.subarray(start + MARK_LENGTH)]
}

const MARK_LENGTH = 24

function firstOf(client: WebSocket, frames: readonly Frame[]): Promise<Frame> {
  return new Promise((resolve, reject) => {
    const done = (problem?: string) => {
      clearTimeout(timer)
      client.off('message', come).off('close', onClose)
      client.pause()
      const [first] = frames
      if (first) resolve(first)
      else reject(badSetup(problem ?? ''))
    }
    const come = () => done()
    const onClose = () => done('the connection closed before its setup')
    const timer = setTimeout(() => done('no setup came'), SETUP_MS)
    client.once('message', come).once('close', onClose)
    client.resume()
  })
}
