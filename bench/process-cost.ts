import { readFileSync } from 'node:fs'

/** Kernel clock ticks are 10 ms on every Linux the project supports. */
const tickMs = 10

/** User plus system time in milliseconds of a process and its ended children; undefined without /proc. */
export function cpuMsOf(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields && fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) * tickMs
}

/** Resident memory of a process in KiB; undefined without /proc. */
export function rssKbOf(pid: number): number | undefined {
  const size = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? '')?.[1]
  return size === undefined ? undefined : Number(size)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined // no /proc here, or the process has ended: the figure is reported as n/a
  }
}
