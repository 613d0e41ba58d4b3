import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { gatewayFile } from '../support/headless.ts'
import { aFolder } from './house.ts'

const script = join(import.meta.dirname, '../../scripts/children.mjs')

it('a gateway started by npm stops cleanly when npm is stopped and only its shell ends', async () => {
  const command = { file: process.execPath, args: [gatewayFile, '--port', '0'] }
  const starter = `import { runTogether } from ${JSON.stringify(script)}
    runTogether([{ ...${JSON.stringify(command)}, env: process.env }])`
  // The shell has a command left to run, so it does not replace its own process.
  const shell = spawn('sh', ['-c', `"$NODE" --input-type=module -e "$STARTER"; true`], {
    env: {
      ...process.env,
      NODE: process.execPath,
      STARTER: starter,
      DATA_DIR: await aFolder(),
      npm_lifecycle_event: 'start',
    },
  })
  let out = ''
  shell.stdout.on('data', (part: Buffer) => {
    out += part.toString()
  })
  await expect.poll(() => out).toContain('is listening on')
  shell.kill('SIGTERM')
  await once(shell, 'close')
  expect(out).toContain('"stopped"')
})
