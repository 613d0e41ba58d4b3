import { type JsonObject, objectsIn, textIn } from '../../../base/json.ts'
import { readSeal, type Seal } from './seal.ts'

/** What stands between the parts of a summary when they are one text. */
export const BETWEEN_PARTS = '\n\n'

/** The text of a reasoning item, raw thoughts before summaries, and its seal. Sealed thoughts without text are kept from the client. */
export function thoughtOf(item: JsonObject): { text: string; seal?: Seal } {
  const texts = [...objectsIn(item.content), ...objectsIn(item.summary)].map((part) => textIn(part.text) ?? '')
  const text = texts.filter((each) => each !== '').join(BETWEEN_PARTS)
  const encrypted = textIn(item.encrypted_content)
  if (!encrypted) return { text }
  const seal = readSeal(encrypted, textIn(item.id))
  const isHidden = text === '' && seal.signature.by === 'responses'
  return { text, seal: isHidden ? { ...seal, redacted: true } : seal }
}
