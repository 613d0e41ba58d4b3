import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWebLink } from '../../shared/links.ts'

/** Where releases are, as whoever made the package has named it (docs/releasing.md#updates); undefined where nobody has. */
export function releasesPage(program: string): string | undefined {
  try {
    const { releasesPage: page }: { releasesPage?: unknown } = JSON.parse(
      readFileSync(join(program, 'package.json'), 'utf8'),
    )
    return typeof page === 'string' && page.startsWith('https://') && isWebLink(page) ? page : undefined
  } catch {
    // A program without its package.json would not have started; then there is no page to name.
    return undefined
  }
}
