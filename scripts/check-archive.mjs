// `node scripts/check-archive.mjs <program>`: changes one byte of a packed program's archive and checks that the
// program refuses to start, as its fuses promise on Windows and macOS; restores the byte. Exits 0 when the program
// refuses.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds within which a program that starts has written its log. */
const WAIT_MS = Number(process.env.CHECK_WAIT_MS ?? 20_000)
/** A text that occurs in the file that is read first, and nowhere before that (main/window-guards.ts). */
const MARK = 'will-attach-webview'

const [program] = process.argv.slice(2)
if (!program) {
  console.error('usage: node scripts/check-archive.mjs <program>')
  process.exit(2)
}
const inside = process.platform === 'darwin' ? '../Resources' : 'resources'
const archive = join(dirname(program), inside, 'app.asar')
const folder = mkdtempSync(join(tmpdir(), 'switchyard-archive-'))
const bytes = readFileSync(archive)
try {
  const at = bytes.indexOf(MARK)
  if (at < 0) throw new Error(`${archive} has no ${MARK}`)
  const changed = Buffer.from(bytes)
  changed[at] = 'W'.charCodeAt(0)
  writeFileSync(archive, changed)
  const code = await started()
  if (code === undefined || code === 0) throw new Error('a program whose archive was changed goes on')
  console.log(`It refuses an archive that was changed: it ends with ${code}.`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  writeFileSync(archive, bytes)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
process.exit()

/** The exit code of the program; undefined when it keeps running. */
async function started() {
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), LOCALAPPDATA: join(folder, 'local'), PORT: '0' }
  const child = spawn(program, [`--user-data-dir=${join(folder, 'profile')}`], { env, stdio: 'ignore' })
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  const code = await Promise.race([ended, pause(WAIT_MS, undefined, { ref: false })])
  if (code === undefined) {
    child.kill('SIGKILL')
    await ended
  }
  return code
}
