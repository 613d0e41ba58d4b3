import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { BodyState, KeptBodiesRow } from '../../store/schema/schema-bodies.ts'
import { type CopiedBody, textOf } from './body-copy.ts'

export type KeptFacts = Omit<KeptBodiesRow, 'request' | 'request_state' | 'answer' | 'answer_state' | 'bytes'>

/** A call whose bodies are to be written; `secrets` are masked first. */
export type CopiedCall = Readonly<{
  facts: KeptFacts
  request: CopiedBody
  answer: CopiedBody
  secrets: readonly string[]
}>

/** A decrypted body; empty unless it is `whole` or `cut`. */
export type KeptBody = Readonly<{ state: BodyState; text: string }>

export type KeptCall = Readonly<KeptFacts & { request: KeptBody; answer: KeptBody }>

const OVERHEAD = 512

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/**
 * The row of a call: its bodies compressed on another thread, then encrypted; without bodies if both together exceed
 * `max` bytes.
 */
export async function sealedRow(vault: Vault, call: CopiedCall, max: number): Promise<KeptBodiesRow> {
  const { facts, secrets } = call
  const bodies = { request: textOf(call.request, secrets), answer: textOf(call.answer, secrets) }
  const request = await sealed(vault, bodies.request.text, cipherContext(facts, 'request'))
  const answer = await sealed(vault, bodies.answer.text, cipherContext(facts, 'answer'))
  const bytes = OVERHEAD + request.length + answer.length
  if (bytes > max)
    return { ...facts, request: '', request_state: 'too_large', answer: '', answer_state: 'too_large', bytes: OVERHEAD }
  return { ...facts, request, request_state: bodies.request.state, answer, answer_state: bodies.answer.state, bytes }
}

/** The bodies of a row. Throws `UnreadableSecret` if another data key encrypted them. */
export async function openedCall(vault: Vault, row: KeptBodiesRow): Promise<KeptCall> {
  const { request, request_state, answer, answer_state, bytes: _, ...facts } = row
  return {
    ...facts,
    request: { state: request_state, text: await opened(vault, request, cipherContext(row, 'request')) },
    answer: { state: answer_state, text: await opened(vault, answer, cipherContext(row, 'answer')) },
  }
}

const cipherContext = ({ request_id }: Pick<KeptFacts, 'request_id'>, column: 'request' | 'answer'): string =>
  `kept_bodies|${request_id}|${column}`

async function sealed(vault: Vault, text: string, context: string): Promise<string> {
  return text === '' ? '' : vault.seal((await pack(text)).toString('base64'), context)
}

async function opened(vault: Vault, text: string, context: string): Promise<string> {
  return text === '' ? '' : (await unpack(Buffer.from(vault.open(text, context), 'base64'))).toString()
}
