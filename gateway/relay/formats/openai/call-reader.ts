import { isObject, numberIn, objectIn, textIn, written } from '../../../base/json/json.ts'
import { UntrustedMap } from '../../../base/untrusted-keys.ts'
import type { Json } from '../codec.ts'
import type { Signature } from '../conversation.ts'
import type { AnswerEvent } from '../events.ts'
import { boundedCallId } from '../long-call-id.ts'
import { WholeObject } from '../whole-object.ts'
import { ownCallId } from './call-id.ts'
import { callSignatureIn } from './thought-signature.ts'

/** A partial call; announced once it has a name. */
type OpenCall = {
  readonly number: number
  readonly key: number | undefined
  readonly custom: boolean
  id: string | undefined
  name: string
  isAnnounced: boolean
  readonly arguments: WholeObject
}

type Piece = Readonly<{
  key: number | undefined
  id: string | undefined
  name: string
  json: string
  custom: boolean
  signature: Signature | undefined
}>

/**
 * Assembles the tool calls of one choice. Vendors of this dialect omit the index, repeat the name or the id, or give
 * every call the index 0: a piece belongs to a known call unless it can be the beginning of another.
 */
export class CallReader {
  private readonly choice: number
  private readonly calls: OpenCall[] = []
  /** The latest call of each index, and of each id. */
  private readonly byKey = new Map<number, OpenCall>()
  private readonly byId = new UntrustedMap<string, OpenCall>()

  constructor(choice: number) {
    this.choice = choice
  }

  /**
   * Returns the events of one item of `tool_calls`; `position` replaces its index in a whole response. A missing id is
   * derived from `answerId`.
   */
  take(item: Json, position: number | undefined, answerId: string): readonly AnswerEvent[] {
    const piece = pieceOf(item, position)
    const call = this.callOf(piece)
    call.id ??= piece.id
    if (piece.id !== undefined && call.id === piece.id) this.byId.set(piece.id, call)
    if (!call.isAnnounced) call.name += piece.name
    call.arguments.add(piece.json)
    if (call.name === '') return []
    const { choice } = this
    const signed = piece.signature ? { signature: piece.signature } : {}
    const at = { type: 'tool' as const, choice, call: call.number }
    if (call.isAnnounced) return piece.json || piece.signature ? [{ ...at, ...jsonOf(piece.json), ...signed }] : []
    call.isAnnounced = true
    const id = call.id || ownCallId(answerId, choice, call.number)
    const custom = call.custom ? { custom: true } : {}
    return [{ ...at, id, name: call.name, ...jsonOf(call.arguments.json), ...custom, ...signed }]
  }

  private callOf(piece: Piece): OpenCall {
    const known = this.knownFor(piece)
    if (known && !beginsAnother(known, piece)) return known
    const { key, custom } = piece
    const call = {
      number: this.calls.length,
      key,
      custom,
      id: undefined,
      name: '',
      isAnnounced: false,
      arguments: new WholeObject(),
    }
    this.calls.push(call)
    if (key !== undefined) this.byKey.set(key, call)
    return call
  }

  private knownFor({ key, id }: Piece): OpenCall | undefined {
    if (key !== undefined) return this.byKey.get(key)
    return (id === undefined ? undefined : this.byId.get(id)) ?? this.calls.at(-1)
  }
}

/**
 * Whether a piece with a name begins another call: it has another id; or, if one of the ids is missing, the known call
 * has been announced, and the piece has another name or follows complete arguments.
 */
function beginsAnother(known: OpenCall, piece: Piece): boolean {
  if (piece.id !== undefined && known.id !== undefined) return piece.id !== known.id && piece.name !== ''
  return known.isAnnounced && piece.name !== '' && (known.name !== piece.name || known.arguments.isWhole())
}

function pieceOf(item: Json, position: number | undefined): Piece {
  const custom = isObject(item.custom)
  const called = objectIn(item.custom ?? item.function)
  return {
    key: position ?? numberIn(item.index),
    id: boundedCallId(textIn(item.id) ?? '') || undefined,
    name: textIn(called.name) ?? '',
    json: argumentsOf(custom ? called.input : called.arguments),
    custom,
    signature: callSignatureIn(item),
  }
}

/** Returns JSON text; some vendors send the object itself. */
const argumentsOf = (value: unknown): string => (isObject(value) ? written(value) : (textIn(value) ?? ''))

const jsonOf = (json: string): { json?: string } => (json ? { json } : {})
