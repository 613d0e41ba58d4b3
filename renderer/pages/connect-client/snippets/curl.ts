import { quoted, type Snippet, type Target } from './snippet.ts'

/**
 * A request from a shell. PowerShell has its own command: `curl` is another program there, and PowerShell breaks
 * quotes.
 */
export const curlSnippets: readonly Snippet[] = [
  {
    id: 'curl',
    program: 'curl',
    name: 'curl',
    variant: 'curl',
    language: 'shell',
    text: (target) => (target.system === 'windows' ? inPowerShell(target) : withCurl(target)),
  },
]

const withCurl = ({ address, key, model }: Target) => `curl ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d ${quoted('unix', JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }))}`

const inPowerShell = ({ address, key, model, system }: Target) => `$body = @{
  model = ${quoted(system, model)}
  messages = @(@{ role = 'user'; content = 'Hello' })
} | ConvertTo-Json -Depth 4
$request = @{
  Uri = ${quoted(system, `${address}/v1/chat/completions`)}
  Method = 'Post'
  ContentType = 'application/json'
  Headers = @{ Authorization = 'Bearer ${key}' }
  Body = $body
}
Invoke-RestMethod @request | ConvertTo-Json -Depth 8`
