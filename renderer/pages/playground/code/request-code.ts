import type { Attachment, ContentPart } from '../attachments/attachment.ts'
import type { Sent } from '../conversation.ts'
import { requestBody } from '../request-body.ts'
import type { PlaySettings } from '../settings.ts'

export type Request = Readonly<{
  messages: readonly Sent[]
  settings: PlaySettings
  attachments: readonly Attachment[]
}>

type CodeTarget = Readonly<{ address: string; key: string }>

type Language = Readonly<{ id: string; name: string; text: (request: Request, target: CodeTarget) => string }>

/** A file that the code reads at run time, because its content is too large to show. */
type LocalFile = Readonly<{ name: string; type: string }>

/** The languages, the default first. Each text runs as is, given a key and the files. */
export const languages: readonly Language[] = [
  { id: 'curl', name: 'curl', text: inCurl },
  { id: 'python', name: 'Python', text: inPython },
  { id: 'javascript', name: 'JavaScript', text: inJavaScript },
]

function inCurl(request: Request, { address, key }: CodeTarget): string {
  const { body, files } = withoutFiles(request)
  const json = JSON.stringify(body, undefined, 2)
  const head = [
    `curl ${address}/v1/chat/completions`,
    `  -H "Authorization: Bearer ${key}"`,
    '  -H "Content-Type: application/json"',
  ].join(' \\\n')
  if (files.length === 0) return `${head} \\\n  -d '${json.replaceAll("'", String.raw`'\''`)}'`
  // The heredoc is expanded by the shell, to read the files, so `$`, backticks and backslashes must be escaped.
  const escaped = json.replace(/[\\$`]/g, String.raw`\$&`)
  const read = ({ name, type }: LocalFile) => `"data:${type};base64,$(base64 < ${quoted(name)} | tr -d '\\n')"`
  return `${head} \\\n  -d @- <<JSON\n${filledIn(escaped, files, read)}\nJSON`
}

const quoted = (name: string): string => `'${name.replaceAll("'", String.raw`'\''`)}'`

function inPython(request: Request, { address, key }: CodeTarget): string {
  const { body, files } = withoutFiles(request)
  const read = ({ name, type }: LocalFile) => `data_url(${JSON.stringify(name)}, ${JSON.stringify(type)})`
  // Python's `True` differs from JSON's; the only boolean in a body is a `true` at the end of a line.
  const fields = Object.entries(body).map(([field, value]) => {
    const json = JSON.stringify(value, undefined, 4).replace(/(: |^)true(,?)$/gm, '$1True$2')
    return `    ${field}=${filledIn(json, files, read).replaceAll('\n', '\n    ')},`
  })
  return `${files.length > 0 ? 'import base64\n\n' : ''}from openai import OpenAI

client = OpenAI(
    base_url="${address}/v1",
    api_key="${key}",
)
${files.length > 0 ? pythonReader : ''}
stream = client.chat.completions.create(
${fields.join('\n')}
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`
}

const pythonReader = `

def data_url(path, media_type):
    with open(path, "rb") as file:
        return f"data:{media_type};base64,{base64.b64encode(file.read()).decode()}"

`

function inJavaScript(request: Request, { address, key }: CodeTarget): string {
  const { body, files } = withoutFiles(request)
  const read = ({ name, type }: LocalFile) => `dataUrl(${JSON.stringify(name)}, ${JSON.stringify(type)})`
  const fields = filledIn(JSON.stringify(body, undefined, 2), files, read)
  return `${files.length > 0 ? "import { readFileSync } from 'node:fs'\n" : ''}import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${address}/v1',
  apiKey: '${key}',
})
${files.length > 0 ? javaScriptReader : ''}const stream = await client.chat.completions.create(${fields})
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta?.content ?? '')
}`
}

const javaScriptReader = `function dataUrl(path, type) {
  return \`data:\${type};base64,\${readFileSync(path, 'base64')}\`
}
`

/** The body with a placeholder for each file, which `filledIn` replaces. */
function withoutFiles({ messages, settings, attachments }: Request) {
  const files: LocalFile[] = []
  const mark = (data: string) => {
    const name = attachments.find((one) => one.data === data)?.name ?? ''
    files.push({ name, type: data.slice('data:'.length, data.indexOf(';')) })
    return `@file-${files.length - 1}@`
  }
  const strip = (part: ContentPart): ContentPart => {
    if (part.type === 'image_url') return { ...part, image_url: { url: mark(part.image_url.url) } }
    if (part.type === 'file') return { ...part, file: { ...part.file, file_data: mark(part.file.file_data) } }
    return part
  }
  const stripped = messages.map(({ role, content }) => ({
    role,
    content: typeof content === 'string' ? content : content.map(strip),
  }))
  return { body: requestBody(stripped, settings), files }
}

const filledIn = (text: string, files: readonly LocalFile[], read: (file: LocalFile) => string): string =>
  text.replace(/"@file-(\d+)@"/g, (match, index) => {
    const file = files[Number(index)]
    return file ? read(file) : match
  })
