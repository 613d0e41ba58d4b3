import { ApiError, type Content, type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai'
import { citySchema, MAX_TOKENS, type Place, type Question, type Sdk, SYSTEM, weather } from './question.ts'

export function googleGenai({ url, key }: Place): Sdk {
  const { models } = new GoogleGenAI({ apiKey: `sk-${key}`, httpOptions: { baseUrl: url } })
  const turn = async (question: Question, contents: Content[]): Promise<GenerateContentResponse[]> => {
    const asked = { model: question.model, contents, config: configOf(question) }
    if (!question.stream) return [await models.generateContent(asked)]
    const chunks: GenerateContentResponse[] = []
    for await (const chunk of await models.generateContentStream(asked)) {
      const text = chunk.candidates?.[0]?.content?.parts
        ?.map((part) => (part.thought ? '' : (part.text ?? '')))
        .join('')
      if (text) question.onText?.(text)
      chunks.push(chunk)
    }
    return chunks
  }
  return {
    name: 'genai',
    dialect: 'gemini',
    statusOf: (error) => (error instanceof ApiError ? error.status : undefined),
    async ask(question) {
      const contents: Content[] = [{ role: 'user', parts: partsOf(question) }]
      for (;;) {
        const chunks = await turn(question, contents)
        const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
        const results = parts.flatMap((part) => resultOf(part))
        if (results.length === 0) {
          const usage = chunks.findLast((chunk) => chunk.usageMetadata)?.usageMetadata
          const spoken = (thought: boolean) =>
            parts.map((part) => (Boolean(part.thought) === thought ? (part.text ?? '') : '')).join('')
          return {
            text: spoken(false),
            thoughts: spoken(true),
            input: usage?.promptTokenCount,
            output: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
          }
        }
        contents.push({ role: 'model', parts }, { role: 'user', parts: results })
      }
    },
  }
}

function resultOf({ functionCall: call }: Part): Part[] {
  if (!call) return []
  const output = weather.run(call.args as { city: string }) // conforms to the tool's own schema
  return [{ functionResponse: { ...(call.id ? { id: call.id } : {}), name: call.name ?? '', response: { output } } }]
}

function partsOf({ text, picture }: Question): Part[] {
  if (!picture) return [{ text }]
  if ('url' in picture) return [{ text }, { fileData: { fileUri: picture.url, mimeType: 'image/png' } }]
  return [{ text }, { inlineData: { mimeType: picture.mime, data: picture.data } }]
}

function configOf({ tools, json, thinks, signal }: Question) {
  const { name, description, parameters } = weather
  return {
    systemInstruction: SYSTEM,
    maxOutputTokens: MAX_TOKENS,
    ...(signal ? { abortSignal: signal } : {}),
    ...(tools ? { tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] }] } : {}),
    ...(json ? { responseMimeType: 'application/json', responseJsonSchema: citySchema } : {}),
    ...(thinks ? { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } } : {}),
  }
}
