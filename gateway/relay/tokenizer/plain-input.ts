import { isObject, type JsonObject, objectIn, textIn } from '../../base/json/json.ts'

/** The input of a request that is not a conversation; `numbers` counts tokens sent as numbers. */
type PlainInput = { texts: string[]; numbers: number; images: number; documents: number }

const FIELDS = [
  ...['prompt', 'input', 'inputs', 'instruction', 'query', 'documents', 'content', 'requests', 'texts', 'instances'],
  ...['messages'],
]

/** Collects the input from any depth, such as texts and files to embed (docs/reference/tokens.md#prompts). */
export function plainInputOf(json: Readonly<JsonObject>): PlainInput {
  const found: PlainInput = { texts: [], numbers: 0, images: 0, documents: 0 }
  const take = (value: unknown): void => {
    if (typeof value === 'string') found.texts.push(value)
    else if (typeof value === 'number') found.numbers += 1
    else if (Array.isArray(value)) for (const item of value) take(item)
    else if (isObject(value)) {
      const text = textIn(value.text)
      addFiles(value, found)
      if (text !== undefined) found.texts.push(text)
      else take(value.parts ?? value.prompt ?? (isObject(value.content) ? value.content.parts : value.content))
    }
  }
  for (const field of FIELDS) take(json[field])
  return found
}

/** Members with files: of Gemini's parts, and of other vendors (Jina, "Embeddings"; OpenAI, "Create moderation"). */
const GEMINI_FILE = /^(inline|file)_?data$/i
const FILE = /^(video|audio|pdf|file)(_url)?$/

function addFiles(value: JsonObject, found: PlainInput): void {
  for (const name in value) {
    if (!value[name]) continue
    const isGemini = GEMINI_FILE.test(name)
    if (/^image(_url)?$/.test(name) || (isGemini && isImage(objectIn(value[name])))) found.images += 1
    else if (isGemini || FILE.test(name)) found.documents += 1
  }
}

const isImage = ({ mimeType, mime_type }: JsonObject): boolean =>
  /^image\b/i.test(textIn(mimeType) ?? textIn(mime_type) ?? '')
