import { describe, expect, it } from 'vitest'
import { again } from './wire.ts'

const documented = {
  text: { contents: [{ parts: [{ text: 'How does AI work?' }], role: 'user' }] },
  'system instruction and configuration': {
    systemInstruction: { parts: [{ text: 'You are a cat.' }] },
    contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    generationConfig: { stopSequences: ['Title'], temperature: 0, maxOutputTokens: 800, topP: 0, topK: 10, seed: 0 },
    safetySettings: [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'BLOCK_ONLY_HIGH' }],
    cachedContent: 'cachedContents/x',
    labels: { team: 'a' },
  },
  'a conversation': {
    contents: [
      { role: 'user', parts: [{ text: 'Hello' }] },
      { role: 'model', parts: [{ text: 'Great to meet you.' }] },
      { role: 'user', parts: [{ text: 'I have two dogs.' }] },
    ],
  },
  files: {
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'Compare these' },
          { inlineData: { mimeType: 'image/jpeg', data: 'AAAA' }, mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' } },
          { fileData: { mimeType: 'application/pdf', fileUri: 'https://files.test/v1beta/files/abc' } },
          { fileData: { fileUri: 'https://www.youtube.com/watch?v=1' }, videoMetadata: { fps: 1 } },
        ],
      },
    ],
    generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_MEDIUM' },
  },
  'functions called, with signatures': {
    contents: [
      { role: 'user', parts: [{ text: 'Weather in Paris and London?' }] },
      {
        role: 'model',
        parts: [
          { text: 'Let me see', thought: true },
          { functionCall: { name: 'weather', args: { city: 'Paris' } }, thoughtSignature: 'c2lnQQ==' },
          { functionCall: { name: 'weather', args: { city: 'London' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'weather', response: { temp: '15C' } } },
          { functionResponse: { name: 'weather', response: { error: 'no such city' } } },
        ],
      },
      { role: 'model', parts: [{ text: '15 degrees', thoughtSignature: 'c2lnQg==' }] },
    ],
    tools: [
      {
        functionDeclarations: [
          {
            name: 'weather',
            description: 'Current weather',
            parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
            behavior: 'NON_BLOCKING',
          },
        ],
      },
    ],
    toolConfig: {
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] },
      retrievalConfig: { latLng: { latitude: 1, longitude: 2 } },
    },
  },
  "the vendor's own call ids": {
    contents: [
      { role: 'user', parts: [{ text: 'Go' }] },
      { role: 'model', parts: [{ functionCall: { id: 'k3x9', name: 'go', args: {} }, thoughtSignature: 'c2ln' }] },
      { role: 'user', parts: [{ functionResponse: { id: 'k3x9', name: 'go', response: { content: 'done' } } }] },
    ],
  },
  'own tools and code': {
    contents: [
      { role: 'user', parts: [{ text: 'Sum?' }] },
      { role: 'model', parts: [{ executableCode: { language: 'PYTHON', code: 'print(1)' } }] },
      { role: 'user', parts: [{ text: 'And now?' }] },
    ],
    tools: [
      { googleSearch: {} },
      { codeExecution: {} },
      { urlContext: {} },
      { fileSearch: { fileSearchStoreNames: ['s'] } },
    ],
    toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } },
  },
  'answers in JSON': {
    contents: [{ role: 'user', parts: [{ text: 'List' }] }],
    generationConfig: {
      responseMimeType: 'application/json',
      responseJsonSchema: {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string' } }, propertyOrdering: ['name'] },
      },
    },
  },
  'thinking and speech': {
    contents: [{ role: 'user', parts: [{ text: 'Say' }] }],
    generationConfig: {
      thinkingConfig: { thinkingBudget: 1024, includeThoughts: false },
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      imageConfig: { aspectRatio: '1:1' },
      candidateCount: 1,
      presencePenalty: 0,
      frequencyPenalty: 0,
    },
  },
}

describe('a Gemini request read and written again', () => {
  it.each(Object.entries(documented))('means the same: %s', (_, wire) => {
    expect(again(wire)).toEqual(wire)
  })

  it('accepts snake_case, single messages for lists, and null for absent fields', () => {
    const wire = {
      system_instruction: { parts: { text: 'Be brief' } },
      contents: { role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'AAAA' } }, { text: 'Hi' }] },
      generation_config: { max_output_tokens: 5, top_p: '0.5', seed: null },
      tools: [{ google_search: {} }],
    }
    expect(again(wire)).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief' }] },
      contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }, { text: 'Hi' }] }],
      generationConfig: { maxOutputTokens: 5, topP: 0.5 },
      tools: [{ googleSearch: {} }],
    })
  })

  it('preserves the thinking level for the third generation, and replaces a lost signature', () => {
    const calls = [
      { role: 'user', parts: [{ text: 'Go' }] },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'go', args: {} } }, { functionCall: { name: 'go', args: {} } }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'go', response: { ok: true } } }] },
    ]
    const wire = { contents: calls, generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } }
    const result = again(wire, 'gemini-3-pro-preview')
    expect(result.generationConfig).toEqual(wire.generationConfig)
    expect(result.contents).toMatchObject([
      {},
      { parts: [{ thoughtSignature: 'skip_thought_signature_validator' }, { functionCall: { name: 'go' } }] },
      {},
    ])
    expect(JSON.stringify(result).split('skip_thought').length).toBe(2)
  })
})
