/** Types of scripts/natives.mjs for tests, which are TypeScript. */
export const OLDEST_GLIBC: string
export const OLDEST_MACOS: string
export function nativesOf(platform: string, arch: string): string[]
export function faultsOf(packed: {
  resources: string
  platform: string
  arch: string
  programs?: readonly string[]
}): string[]
export function archived(
  file: string,
): [string, { size: number; offset?: string; unpacked?: true; executable?: true; link?: string }][]
export function headerOf(
  bytes: Buffer,
): { platform: string; arches: string[]; isMusl?: boolean; glibc?: string; macos?: string } | undefined
