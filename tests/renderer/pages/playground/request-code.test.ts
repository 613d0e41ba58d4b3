import { describe, expect, it } from 'vitest'
import { languages, type Request } from '../../../../renderer/pages/playground/code/request-code.ts'

const target = { address: 'http://127.0.0.1:6411', key: 'sk-KEY' }
const fine = { topP: 1, frequencyPenalty: 0, presencePenalty: 0 }
const settings = { group: 'vip', model: 'gpt-4o', temperature: 0.5, ...fine, maxTokens: 100, system: '' }
const data = 'data:image/png;base64,AAAA'
const quoted: Request = { messages: [{ role: 'user', content: 'true\nis "true"' }], settings, attachments: [] }
const picture: Request = {
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: data } }] }],
  settings,
  attachments: [{ id: '1', name: 'a.png', type: 'image/png', size: 3, data }],
}
const written = (id: string, request: Request) => languages.find((one) => one.id === id)?.text(request, target) ?? ''

describe('the code of a request (docs/reference/screens.md#playground)', () => {
  it('is Python, whose truth has a capital, but not in texts', () => {
    const code = written('python', quoted)
    expect(code).toContain('    stream=True,\n    stream_options={\n        "include_usage": True\n    },')
    expect(code).toContain('"content": "true\\nis \\"true\\""')
    expect(code).toContain('max_tokens=100,')
    expect(code).not.toContain('vip')
  })

  it('is JavaScript that makes the very same object', () => {
    const code = written('javascript', quoted)
    const made = /create\((\{[\s\S]*?\n\})\)/.exec(code)?.[1] ?? ''
    expect(JSON.parse(made)).toMatchObject({ model: 'gpt-4o', temperature: 0.5, messages: quoted.messages })
  })

  it.each([
    ['curl', `"data:image/png;base64,$(base64 < 'a.png' | tr -d '\\n')"`],
    ['python', '"url": data_url("a.png", "image/png")'],
    ['javascript', '"url": dataUrl("a.png", "image/png")'],
  ])('reads files where it runs: %s', (id, quoted) => {
    const code = written(id, picture)
    expect(code).toContain(quoted)
    expect(code).not.toContain('AAAA')
  })
})
