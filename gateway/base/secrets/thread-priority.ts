import { setPriority } from 'node:os'

/**
 * Lowers the priority of the calling thread below the relay's, in steps of niceness. Only Linux has priorities per
 * thread; elsewhere this would slow down the whole process, so it does nothing.
 */
export function stepBack(niceness: number): void {
  try {
    if (process.platform === 'linux') setPriority(niceness)
  } catch {
    // If the system forbids it, both threads have the same priority.
  }
}
