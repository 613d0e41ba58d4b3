import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { BodyState, KeptBodiesRow } from '../../store/schema/schema-bodies.ts'
import { type CopiedBody, textOf } from './body-copy.ts'

/** What is kept of a call beside its bodies. */
export type KeptFacts = Omit<KeptBodiesRow, 'request' | 'request_state' | 'answer' | 'answer_state' | 'bytes'>

/** A call whose bodies are to be written; what must not be kept of them is masked before. */
export type CopiedCall = Readonly<{
  facts: KeptFacts
  request: CopiedBody
  answer: CopiedBody
  secrets: readonly string[]
}>

/** One body, opened; empty but where it is `whole` or `cut`. */
export type KeptBody = Readonly<{ state: BodyState; text: string }>

/** The bodies of one call, opened, and what else is known of it. */
export type KeptCall = Readonly<KeptFacts & { request: KeptBody; answer: KeptBody }>

/** What a row takes besides its texts, in bytes. */
const OVERHEAD = 512

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** The row of a call: its bodies packed on another thread, then sealed; without them where both take more than `most` bytes. */
export async function sealedRow(vault: Vault, call: CopiedCall, max: number): Promise<KeptBodiesRow> {
  const { facts, secrets } = call
  const bodies = { request: textOf(call.request, secrets), answer: textOf(call.answer, secrets) }
  const request = await sealed(vault, bodies.request.text, placeOf(facts, 'request'))
  const answer = await sealed(vault, bodies.answer.text, placeOf(facts, 'answer'))
  const bytes = OVERHEAD + request.length + answer.length
  if (bytes > max)
    return { ...facts, request: '', request_state: 'too_large', answer: '', answer_state: 'too_large', bytes: OVERHEAD }
  return { ...facts, request, request_state: bodies.request.state, answer, answer_state: bodies.answer.state, bytes }
}

/** The bodies of a row. Throws `UnreadableSecret` for what was sealed with another data key. */
export async function openedCall(vault: Vault, row: KeptBodiesRow): Promise<KeptCall> {
  const { request, request_state, answer, answer_state, bytes: _, ...facts } = row
  return {
    ...facts,
    request: { state: request_state, text: await opened(vault, request, placeOf(row, 'request')) },
    answer: { state: answer_state, text: await opened(vault, answer, placeOf(row, 'answer')) },
  }
}

const placeOf = ({ request_id }: Pick<KeptFacts, 'request_id'>, column: 'request' | 'answer'): string =>
  `kept_bodies|${request_id}|${column}`

async function sealed(vault: Vault, text: string, place: string): Promise<string> {
  return text === '' ? '' : vault.seal((await pack(text)).toString('base64'), place)
}

async function opened(vault: Vault, text: string, place: string): Promise<string> {
  return text === '' ? '' : (await unpack(Buffer.from(vault.open(text, place), 'base64'))).toString()
}
