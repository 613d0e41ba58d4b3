import type { WebSocket } from 'ws'
import { refuse } from '../../../base/errors.ts'
import { randomKey } from '../../../base/ids.ts'
import { type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import { LARGE } from '../../../base/json/json-scan.ts'
import { writeJson } from '../../../base/json/json-write.ts'
import { messageIn } from '../../formats/gemini/message.ts'
import { disguisedInside, disguisedMember } from '../../intake/known-members.ts'
import { frameJson } from '../frame-json.ts'
import type { Early, Frame } from '../realtime/greeting.ts'

export type Opening = Readonly<{
  model: string
  /** The parsed frame; not retained once the session has started. */
  event(): JsonObject
  /** The parsed frame with the upstream's name of the model; no member appears twice. */
  frameFor: (model: string) => string
  early: Early
}>

/** Milliseconds within which a caller must configure a session. */
const SETUP_MS = 10_000

/**
 * Waits for the frame that configures a session and names its model (Gemini API, "Live API - WebSockets API reference",
 * "Session configuration"); pauses the caller afterwards. Throws if it is another frame.
 */
export async function openingOf(client: WebSocket): Promise<Opening> {
  const frames: Frame[] = []
  const hear = (data: unknown, isBinary: boolean) => {
    if (Buffer.isBuffer(data)) frames.push({ data, isBinary })
  }
  client.on('message', hear)
  const first = await firstOf(client, frames)
  const json = objectIn(await frameJson(first.data))
  const { setup } = messageIn(json)
  const named = textIn(objectIn(setup).model) ?? ''
  const model = named.slice(named.lastIndexOf('/') + 1)
  if (model === '') throw refuse('invalid', 'relay.modelMissing', {}, { code: 'model_required', param: 'setup.model' })
  const other = disguisedMember(Object.keys(json)) ?? disguisedInside(setup)
  if (other !== undefined) throw badSetup(`the field "${other.slice(0, MAX_SHOWN)}" is written in another way`)
  let frame: SetupFrame = { json, around: await aroundModel(json, first.data.length > LARGE) }
  return {
    model,
    event: () => frame.json,
    frameFor: (upstreamModel) => frame.around.join(JSON.stringify(pathOf(upstreamModel)).slice(1, -1)),
    early() {
      client.off('message', hear)
      frame = NO_SETUP
      return frames.splice(0).slice(1)
    },
  }
}

/** The first frame, parsed, and its text before and after the model's name. */
type SetupFrame = Readonly<{ json: JsonObject; around: readonly string[] }>

const NO_SETUP: SetupFrame = { json: {}, around: [] }
const MAX_SHOWN = 64

const badSetup = (reason: string) => refuse('invalid', 'relay.badRequest', { reason }, { code: 'setup_required' })

const pathOf = (model: string): string => `models/${model}`

async function aroundModel(json: JsonObject, isLarge: boolean): Promise<readonly string[]> {
  const mark = randomKey(MARK_LENGTH)
  const bytes = await writeJson({ ...json, setup: { ...objectIn(json.setup), model: mark } }, isLarge)
  return bytes.toString('utf8').split(mark)
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
