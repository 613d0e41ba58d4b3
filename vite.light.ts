import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/**
 * Leaves out of the console what packages bring and nobody uses
 * (docs/decisions/2026-11-22-a-light-first-view.md). What is left out and used all the same fails the build.
 */
export const lightened: readonly Plugin[] = [
  ofProduction(),
  withRewrites(),
  withoutIdleModules(),
  withoutIdleStyles(),
  withoutIdleTexts(),
]

/** The router leads every bundler to its development build; it has one for production beside it. */
function ofProduction(): Plugin {
  return {
    name: 'of-production',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!source.startsWith('react-router/') && source !== 'react-router') return null
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      return found && { ...found, id: found.id.replace('/dist/development/', '/dist/production/') }
    },
  }
}

type Rewrite = Readonly<{ file: RegExp; original: RegExp; replacement: string }>

const rewrites: readonly Rewrite[] = [
  // Every icon has drawings for 16 and for 20 pixels; the console shows them at 12, 16 and 48, for which the first is made.
  {
    file: /@blueprintjs\/icons\/lib\/esm\/generated\/components\/[\w-]+\.js$/,
    original: /(?<=const PATHS_20 = )\[[^\]]*\]/,
    replacement: 'PATHS_16',
  },
  {
    file: /@blueprintjs\/icons\/lib\/esm\/svgIconContainer\.js$/,
    original: /isLarge \? IconSize\.LARGE : IconSize\.STANDARD/,
    replacement: 'IconSize.STANDARD',
  },
  // A dialog gives the focus back when it has faded out, and takes it from a person who has gone on meanwhile. Where the focus
  // is lost, renderer/api/focus-management.ts finds the place.
  {
    file: /@blueprintjs\/core\/lib\/esm\/components\/overlay2\/overlay2\.js$/,
    original: /(?<=if \()shouldReturnFocusOnClose && lastActiveElement instanceof HTMLElement(?=\))/,
    replacement:
      'lastActiveElement instanceof HTMLElement && shouldReturnFocusOnClose && node?.contains(document.activeElement)',
  },
]

/** Changes single expressions of Blueprint. */
function withRewrites(): Plugin {
  return {
    name: 'with-rewrites',
    apply: 'build',
    transform(source, id) {
      const found = rewrites.find(({ file }) => file.test(id))
      if (!found) return null
      if (!found.original.test(source)) this.error(`${id} does not have the expression that vite.light.ts replaces`)
      return { code: source.replace(found.original, found.replacement), map: null }
    },
  }
}

/** Modules that only a feature needs that the console does without: what they export does nothing instead. */
const idleModules: readonly RegExp[] = [
  // Writes schemas as JSON Schema, which is the gateway's work.
  /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/,
  // The console has a list of shortcuts of its own (renderer/shell/palette/shortcuts-dialog.tsx).
  /@blueprintjs\/core\/lib\/esm\/components\/hotkeys\/hotkeysDialog\.js$/,
  // Finds icons by their names; here they are components.
  /@blueprintjs\/icons\/lib\/esm\/generated\/16px\/blueprint-icons-16\.js$/,
  // Scales of charts are of numbers, whose ticks are written in the console's own way.
  /d3-(color|format|time|time-format)\/dist\/[\w-]+\.mjs$/,
]

/** What Blueprint says to who writes programs with it; a build says it to nobody. */
const warnings = /@blueprintjs\/core\/lib\/esm\/common\/errors\.js$/

function withoutIdleModules(): Plugin {
  let isBuild = false
  return {
    name: 'without-idle-modules',
    enforce: 'pre',
    configResolved({ command }) {
      isBuild = command === 'build'
    },
    async load(id) {
      if (!idleModules.some((module) => module.test(id)) && !(isBuild && warnings.test(id))) return null
      const source = await readFile(id, 'utf8')
      const names = Array.from(source.matchAll(exported), ([, name = '']) => name)
      const [, listed = ''] = /^export \{([^}]*)\};?\s*$/m.exec(source) ?? []
      const told = Array.from(listed.matchAll(/(\w+)\s*(?:,|$)/g), ([, name = '']) => name)
      return [...new Set([...names, ...told])].map((name) => `export const ${name} = () => undefined`).join('\n')
    },
  }
}

const exported = /^export (?:var|const|function|\{ \w+ as) (\w+)/gm

/** Components of Blueprint that the console does without, by the path of their code, and what their class names begin with. */
const idleComponents: readonly Readonly<{ code: string; styles: RegExp }>[] = [
  { code: 'editable-text/', styles: /^editable-text/ },
  { code: 'forms/fileInput', styles: /^file-(input|upload)/ },
  { code: 'tree/', styles: /^tree/ },
  { code: 'dialog/multistepDialog', styles: /^(multistep-dialog|dialog-step)/ },
  { code: 'panel-stack', styles: /^panel-stack/ },
  { code: 'entity-title/', styles: /^entity-title/ },
  { code: 'breadcrumbs/', styles: /^breadcrumb/ },
  { code: 'tag/compoundTag', styles: /^compound-tag/ },
  { code: 'section/', styles: /^section/ },
  { code: 'card-list/', styles: /^card-list/ },
  { code: 'link/', styles: /^link/ },
]

/** What the first view shows nothing of: styles that come with the first page beyond it (renderer/page-styles.ts). */
const pageComponents =
  /^(html-select|button-group|tooltip|control|input|tag-input|submenu|callout|html-table|slider|drawer|label|running-text|form-|progress-bar|tab|segmented-control|dialog|key-combo|switch|radio|checkbox|numeric|text-area|select|file|collapse)/

const blueprint = /@blueprintjs\/core\/lib\/css\/blueprint\.css$/

/** Blueprint's style sheet without components that nobody uses, in two parts: what the first view needs, and the rest. */
function withoutIdleStyles(): Plugin {
  return {
    name: 'without-idle-styles',
    enforce: 'pre',
    async transform(code, id) {
      const [path = '', query = ''] = id.split('?')
      if (query === 'url') return null
      if (blueprint.test(path)) return onlyWhere(code, (selector) => !isIdle(selector) && !isOfPages(selector))
      if (!path.endsWith('/blueprint-of-pages.css')) return null
      const whole = await readFile(
        fileURLToPath(import.meta.resolve('@blueprintjs/core/lib/css/blueprint.css')),
        'utf8',
      )
      return onlyWhere(whole, (selector) => !isIdle(selector) && isOfPages(selector))
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue
        for (const [id, { code }] of Object.entries(chunk.modules)) {
          const used =
            code && idleComponents.find((one) => id.includes(`@blueprintjs/core/lib/esm/components/${one.code}`))
          if (used) this.error(`${used.code} of Blueprint is used now: take it off the list in vite.light.ts`)
        }
      }
    },
  }
}

/** Signs of the icon font: icons are drawings here. */
const idleLooks = /\.bp6-icon-[\w-]+::?before/

const isIdle = (selector: string) =>
  idleLooks.test(selector) || names(selector).some((name) => idleComponents.some(({ styles }) => styles.test(name)))
const isOfPages = (selector: string) => names(selector).some((name) => pageComponents.test(name))

/** The components that a selector names, without Blueprint's prefix. */
const names = (selector: string) => Array.from(selector.matchAll(/\.bp6-([\w-]+)/g), ([, name = '']) => name)

/** The style sheet with the selectors that are wanted; a list within brackets is not taken apart, its first entry decides. */
const onlyWhere = (code: string, isWanted: (selector: string) => boolean) =>
  code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/([^{};]+)\{[^{}]*\}/g, (rule, list: string) => {
    if (/[()]/.test(list)) return isWanted(list) ? rule : ''
    const kept = list.split(',').filter(isWanted)
    return kept.length === 0 ? '' : kept.join() + rule.slice(list.length)
  })

/** Texts that the gateway alone says: what no code of the console names, by its key or by how that begins. */
function withoutIdleTexts(): Plugin {
  const code = ['renderer', 'shared'].flatMap(sourcesIn).join('\n')
  const said = new Set(Array.from(code.matchAll(/'([^'\n]*)'/g), ([, key = '']) => key))
  const begun = Array.from(new Set(Array.from(code.matchAll(/`([\w./-]+)\$\{/g), ([, start = '']) => start)))
  const isSaid = (key: string) => said.has(key) || begun.some((start) => key.startsWith(start))
  return {
    name: 'without-idle-texts',
    apply: 'build',
    enforce: 'pre',
    transform(texts, id) {
      if (!/\/shared\/messages\/(en|zh)\/(account|operation)\.ts$/.test(id)) return null
      return texts.replace(/^ {2}'([^']+)':\s+(?:'[^\n]*'|"[^\n]*"),\n/gm, (line, key: string) =>
        isSaid(key) ? line : '',
      )
    },
  }
}

/** What is written in a folder, but for its texts. */
function sourcesIn(folder: string): string[] {
  const root = join(import.meta.dirname, folder)
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  const code = files.filter((path) => /\.tsx?$/.test(path) && !path.includes('messages'))
  return code.map((path) => readFileSync(join(root, path), 'utf8'))
}
