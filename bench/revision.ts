import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit, root } from './processes.ts'

/**
 * Lays another revision out as a git worktree in a temporary folder, removed when this process ends; answers the folder.
 * It shares our installed packages, so its own versions of them are not measured.
 */
export function layOut(revision: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-tree-'))
  atExit(() => {
    rmSync(folder, { recursive: true, force: true })
    git('worktree', 'prune')
  })
  git('worktree', 'add', '--quiet', '--detach', folder, revision)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
  return folder
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
