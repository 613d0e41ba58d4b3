import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit, root } from './processes.ts'

/**
 * Checks out another revision as a git worktree in a temporary folder, which is removed when this process ends, and
 * builds it; returns the folder. The checkout uses our installed packages, so the revision's own versions of them are
 * not measured.
 */
export function layOut(revision: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-tree-'))
  atExit(() => {
    rmSync(folder, { recursive: true, force: true })
    git('worktree', 'prune')
  })
  git('worktree', 'add', '--quiet', '--detach', folder, revision)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const builder = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  execFileSync(process.execPath, [builder, 'build', '--logLevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 2],
  })
  return folder
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
