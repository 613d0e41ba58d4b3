import { describe, expect, it } from 'vitest'
import { createLogger } from '../../../../gateway/base/log/logger.ts'

function logged(error: unknown) {
  const lines: string[] = []
  createLogger('warn', { target: { write: (line) => void lines.push(line) } }).warn('it failed', { error })
  return { line: lines[0] ?? '', error: JSON.parse(lines[0] ?? '{}').error }
}

describe('an error in the log (docs/reference/security.md#input)', () => {
  it('has the fields that the library gave it, and its cause', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const mail = { code: 'EAUTH', responseCode: 535, response: '535 5.7.8 no such user', command: 'AUTH PLAIN' }
    const cause = Object.assign(new Error('Invalid login', { cause: refused }), mail)
    const { error } = logged(new Error('smtp.failed', { cause }))
    expect(error.cause).toEqual({
      name: 'Error',
      code: 'EAUTH',
      responseCode: 535,
      response: '535 5.7.8 no such user',
      cause: { name: 'Error', code: 'ECONNREFUSED' },
    })
    const oauth = {
      error: 'invalid_client',
      error_description: 'use the header',
      status: 401,
      response: new Response(),
    }
    expect(logged(Object.assign(new Error('a'), oauth)).error).toEqual({
      name: 'Error',
      message: 'a',
      error: 'invalid_client',
      error_description: 'use the header',
      stack: expect.any(String),
    })
  })

  it('is bounded and without secrets, no matter what a server sent or how many causes it has', () => {
    const said = { error_description: `Bearer abcdefghij ${'x'.repeat(5000)}`, response: 'at https://ann:secret@host/' }
    const { line, error } = logged(Object.assign(new Error('a'), said))
    expect(error.error_description).toHaveLength(300)
    expect(line).not.toMatch(/abcdefghij|ann:secret/)
    const last = new Error('x'.repeat(5000))
    last.cause = last
    expect(logged(last).line.length).toBeLessThan(3 * 2048)
  })
})
