/** What an example is made for; `key` is the one to show or the one to copy. */
export type Target = Readonly<{ address: string; key: string; model: string }>

/**
 * One example: the program it is for and what it is called, and its text for a target. A program with several has one in
 * each `dialect`, as people call the language.
 */
export type Snippet = Readonly<{
  id: string
  program: string
  name: string
  dialect?: string
  language: string
  text: (target: Target) => string
}>

/** Examples for the dialects the relay serves (gateway/relay/intake/relay-routes.ts); each runs as it stands. */
export const snippets: readonly Snippet[] = [
  {
    id: 'claude-code',
    program: 'Claude Code',
    name: 'Claude Code',
    language: 'sh',
    text: ({ address, key, model }) => `export ANTHROPIC_BASE_URL=${address}
export ANTHROPIC_AUTH_TOKEN=${key}
export ANTHROPIC_MODEL=${model}
claude -p "Hello"`,
  },
  {
    id: 'codex',
    program: 'Codex',
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
    id: 'curl',
    program: 'curl',
    name: 'curl',
    language: 'sh',
    text: ({ address, key, model }) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] })}'`,
  },
  {
    id: 'python',
    program: 'OpenAI SDK',
    name: 'OpenAI SDK · Python',
    dialect: 'Python',
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
    dialect: 'JavaScript',
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
    dialect: 'Python',
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
    dialect: 'JavaScript',
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
    dialect: 'Python',
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
    dialect: 'JavaScript',
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

/** The examples by program, in order. */
export const programs: ReadonlyMap<string, readonly Snippet[]> = Map.groupBy(snippets, ({ program }) => program)
