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

/** What a caller's first frame says. */
export type Opening = Readonly<{
  model: string
  /** The frame as it was read; nothing of it is kept once the session has begun. */
  event(): JsonObject
  /** The frame as it was read, with the upstream's name of the model: no member appears twice. */
  frameFor: (model: string) => string
  /** What came after it. */
  early: Early
}>

/** A caller that configures no session for so long is let go. */
const SETUP_MS = 10_000

/**
 * Waits for the frame that configures a session and names its model (Gemini API, "Live API - WebSockets API reference",
 * "Session configuration"); the caller is held back afterwards. Refuses what is no such frame.
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
  let said: Said = { json, around: await aroundModel(json, first.data.length > LARGE) }
  return {
    model,
    event: () => said.json,
    frameFor: (upstreamModel) => said.around.join(JSON.stringify(pathOf(upstreamModel)).slice(1, -1)),
    early() {
      client.off('message', hear)
      said = NOTHING_SAID
      return frames.splice(0).slice(1)
    },
  }
}

/** The first frame as read, and what stands before and behind the name of its model. */
type Said = Readonly<{ json: JsonObject; around: readonly string[] }>

const NOTHING_SAID: Said = { json: {}, around: [] }
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
      client.off('message', come).off('close', gone)
      client.pause()
      const [first] = frames
      if (first) resolve(first)
      else reject(badSetup(problem ?? ''))
    }
    const come = () => done()
    const gone = () => done('the connection closed before its setup')
    const timer = setTimeout(() => done('no setup came'), SETUP_MS)
    client.once('message', come).once('close', gone)
    client.resume()
  })
}
