import type { Snippet } from './snippet.ts'

export const sdkSnippets: readonly Snippet[] = [
  {
    id: 'python',
    program: 'OpenAI SDK',
    name: 'OpenAI SDK · Python',
    variant: 'Python',
    language: 'python',
    text: ({ address, key, model }) => `from openai import OpenAI

client = OpenAI(
    base_url="${address}/v1",
    api_key="${key}",
)
answer = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
  },
  {
    id: 'javascript',
    program: 'OpenAI SDK',
    name: 'OpenAI SDK · JavaScript',
    variant: 'JavaScript',
    language: 'js',
    text: ({ address, key, model }) => `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${address}/v1',
  apiKey: '${key}',
})
const answer = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`,
  },
  {
    id: 'anthropic-python',
    program: 'Anthropic SDK',
    name: 'Anthropic SDK · Python',
    variant: 'Python',
    language: 'python',
    text: ({ address, key, model }) => `from anthropic import Anthropic

client = Anthropic(
    base_url="${address}",
    api_key="${key}",
)
answer = client.messages.create(
    model=${JSON.stringify(model)},
    max_tokens=1024,
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.content[0].text)`,
  },
  {
    id: 'anthropic-javascript',
    program: 'Anthropic SDK',
    name: 'Anthropic SDK · JavaScript',
    variant: 'JavaScript',
    language: 'js',
    text: ({ address, key, model }) => `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: '${address}',
  apiKey: '${key}',
})
const answer = await client.messages.create({
  model: ${JSON.stringify(model)},
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.content[0].text)`,
  },
  {
    id: 'gemini-python',
    program: 'Gemini SDK',
    name: 'Gemini SDK · Python',
    variant: 'Python',
    language: 'python',
    text: ({ address, key, model }) => `from google import genai

client = genai.Client(
    api_key="${key}",
    http_options={"base_url": "${address}"},
)
answer = client.models.generate_content(
    model=${JSON.stringify(model)},
    contents="Hello",
)
print(answer.text)`,
  },
  {
    id: 'gemini-javascript',
    program: 'Gemini SDK',
    name: 'Gemini SDK · JavaScript',
    variant: 'JavaScript',
    language: 'js',
    text: ({ address, key, model }) => `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  apiKey: '${key}',
  httpOptions: { baseUrl: '${address}' },
})
const answer = await client.models.generateContent({
  model: ${JSON.stringify(model)},
  contents: 'Hello',
})
console.log(answer.text)`,
  },
]
