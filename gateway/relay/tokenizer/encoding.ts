export type Encoding = 'o200k_base' | 'cl100k_base'

const families: readonly (readonly [RegExp, Encoding])[] = [
  [/^(chatgpt-4o|gpt-4o|gpt-4\.[1-9]|gpt-[5-9]|gpt-\d\d|o\d|codex|omni-|computer-use)/, 'o200k_base'],
  [/^gpt-(audio|realtime|image|oss)/, 'o200k_base'],
  [/^(gpt-4|gpt-3\.5|text-embedding-(ada|3)|davinci-002|babbage-002)/, 'cl100k_base'],
]

/** Azure's spelling of gpt-3.5, since its names cannot contain dots. */
const AZURE_3_5 = 'gpt-35'

/**
 * Returns the encoding of an OpenAI model, undefined for other vendors; names with a vendor's prefix (`openai/gpt-4o`)
 * and fine-tuned ones (`ft:gpt-4o:house::id`) count as the model they name (docs/reference/tokens.md#exact-counts).
 */
export function encodingOf(model: string): Encoding | undefined {
  const name = plainName(model)
  return families.find(([names]) => names.test(name))?.[1]
}

/** Normalizes a model's name: lower case, without a vendor's prefix or the fine-tuning prefix. */
export function plainName(model: string): string {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  const bare = name.startsWith('ft:') ? name.slice(3) : name
  return bare.startsWith(AZURE_3_5) ? `gpt-3.5${bare.slice(AZURE_3_5.length)}` : bare
}
