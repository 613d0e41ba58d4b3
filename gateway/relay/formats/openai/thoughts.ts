import { objectsIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { ReasoningPart, Signature } from '../conversation.ts'
import { sealed, unsealed } from '../signature.ts'

type Thought = Readonly<{ text: string; signature?: Signature; redacted?: true }>

/** Reads an item of `reasoning_details` (OpenRouter's reasoning tokens); undefined if it is empty. */
export function thoughtIn(item: Json): Thought | undefined {
  const id = textIn(item.id)
  if (item.type === 'reasoning.encrypted') {
    const data = textIn(item.data)
    return data ? { text: '', redacted: true, signature: signatureIn(data, id) } : undefined
  }
  const text = textIn(item.text) ?? textIn(item.summary) ?? ''
  const signature = textIn(item.signature)
  if (!text && !signature) return undefined
  return signature ? { text, signature: signatureIn(signature, id) } : { text }
}

/**
 * Reads the reasoning of a message that a client returns; joins the pieces of a stream if they are returned separately.
 */
export function thoughtsIn(details: unknown): readonly ReasoningPart[] {
  const parts: ReasoningPart[] = []
  let text = ''
  let index: unknown
  const close = (signature?: Signature) => {
    if (text || signature) parts.push({ type: 'reasoning', text, ...(signature ? { signature } : {}) })
    text = ''
  }
  for (const item of objectsIn(details)) {
    const thought = thoughtIn(item)
    if (!thought) continue
    if (thought.redacted || item.index !== index) close()
    index = item.index
    if (thought.redacted) {
      parts.push({ type: 'reasoning', ...thought })
      continue
    }
    text += thought.text
    if (thought.signature) close(thought.signature)
  }
  close()
  return parts
}

export function detailOut(thought: Thought, index: number): Json {
  const { text, signature, redacted } = thought
  if (redacted && signature) return { type: 'reasoning.encrypted', data: sealed(signature, 'openai'), index }
  return { type: 'reasoning.text', text, ...(signature ? { signature: sealed(signature, 'openai') } : {}), index }
}

/** Returns an item's seal, with the id that must be returned to its vendor too. */
function signatureIn(text: string, id: string | undefined): Signature {
  const signature = unsealed(text, 'openai')
  return id && signature.by === 'openai' && !signature.id ? { ...signature, id } : signature
}
