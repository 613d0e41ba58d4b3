/** What an example is made for; `key` is the one to show or the one to copy. */
export type Target = Readonly<{ address: string; key: string; model: string }>

/** One example: what it is called, and its text for a target. */
export type Snippet = Readonly<{ id: string; name: string; language: string; text: (target: Target) => string }>

/** Examples for the dialects the relay serves (gateway/relay/surface.ts); each runs as it stands. */
export const snippets: readonly Snippet[] = [
  {
    id: 'curl',
    name: 'curl',
    language: 'sh',
    text: ({ address, key, model }) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })}'`,
  },
  {
    id: 'python',
    name: 'OpenAI SDK · Python',
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
    name: 'OpenAI SDK · JavaScript',
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
    id: 'claude-code',
    name: 'Claude Code',
    language: 'sh',
    text: ({ address, key, model }) => `export ANTHROPIC_BASE_URL=${address}
export ANTHROPIC_AUTH_TOKEN=${key}
export ANTHROPIC_MODEL=${model}
claude -p "Hello"`,
  },
  {
    id: 'codex',
    name: 'Codex',
    language: 'sh',
    text: ({ address, key, model }) => `export SWITCHYARD_KEY=${key}
codex exec --skip-git-repo-check \\
  -c model=${model} \\
  -c model_provider=switchyard \\
  -c model_providers.switchyard.name=Switchyard \\
  -c model_providers.switchyard.base_url=${address}/v1 \\
  -c model_providers.switchyard.env_key=SWITCHYARD_KEY \\
  -c model_providers.switchyard.wire_api=responses \\
  "Hello"`,
  },
  {
    id: 'anthropic-python',
    name: 'Anthropic SDK · Python',
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
    name: 'Anthropic SDK · JavaScript',
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
    name: 'Gemini SDK · Python',
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
    name: 'Gemini SDK · JavaScript',
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
