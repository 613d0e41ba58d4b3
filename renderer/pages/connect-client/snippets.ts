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
]
