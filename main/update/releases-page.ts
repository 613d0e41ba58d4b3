import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWebLink } from '../../shared/links.ts'

/** The release page named in the package (docs/releasing.md#updates); undefined if there is none. */
export function releasesPage(program: string): string | undefined {
  try {
    const { releasesPage: page }: { releasesPage?: unknown } = JSON.parse(
      readFileSync(join(program, 'package.json'), 'utf8'),
    )
    return typeof page === 'string' && page.startsWith('https://') && isWebLink(page) ? page : undefined
  } catch {
    // The program would not have started without its package.json.
    return undefined
  }
}
