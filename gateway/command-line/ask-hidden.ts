import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** Prompts at the terminal without echo; undefined without a terminal, or if the input ends. */
export async function readHidden(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await new Promise<string | undefined>((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(undefined))
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
