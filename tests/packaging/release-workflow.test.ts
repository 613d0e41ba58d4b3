import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

type Step = Readonly<{ uses?: string; run?: string; if?: string; env?: Record<string, string> }>
type Job = Readonly<{
  permissions?: Record<string, string>
  needs?: string[]
  strategy?: { matrix: { include: Record<string, string>[] } }
  steps?: Step[]
  /** A workflow that the job calls in place of its own steps. */
  uses?: string
}>

const root = join(import.meta.dirname, '../..')
const text = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')
// Checked below; anything wrong fails there.
const workflow = parse(text) as { permissions: object; jobs: Record<string, Job> }
const jobs = Object.values(workflow.jobs)
const steps = jobs.flatMap((job) => job.steps ?? [])
const commands = steps.flatMap(({ run }) => run ?? [])

describe('the release workflow', () => {
  it('packs on a runner of each system and processor, and starts the package there', () => {
    const include = workflow.jobs.desktop?.strategy?.matrix.include ?? []
    const wanted = ['linux', 'mac', 'win'].flatMap((system) => [`${system}-x64`, `${system}-arm64`])
    expect(include.map(({ system, arch }) => `${system}-${arch}`)).toEqual(wanted)
    expect(new Set(include.map(({ runner }) => runner)).size).toBe(6)
    const checks = workflow.jobs.desktop?.steps?.filter(({ run }) => run?.includes('scripts/check-package.mjs')) ?? []
    const systems = ['linux', 'linux', 'linux', 'mac', 'win']
    expect(checks.map((step) => step.if)).toEqual(systems.map((name) => `matrix.system == '${name}'`))
    for (const [index, kind] of ['deb', 'AppImage', 'rpm'].entries()) expect(checks[index]?.run).toContain(`/*.${kind}`)
    const archives = checks.filter(({ run }) => run?.includes('scripts/check-archive.mjs'))
    expect(archives.map((step) => step.if)).toEqual(['mac', 'win'].map((name) => `matrix.system == '${name}'`))
  })

  it.each(['release', 'full', 'test'])('%s uses nothing but actions of GitHub itself, each by its commit', (name) => {
    const lines = readFileSync(join(root, `.github/workflows/${name}.yml`), 'utf8').match(/\buses: (?!\.\/).*/g) ?? []
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(line).toMatch(/^uses: actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  it('has write permission only in its last job, which waits for all others', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const { draft, ...others } = workflow.jobs
    expect(draft).toMatchObject({
      permissions: { attestations: 'write', contents: 'write', 'id-token': 'write' },
      needs: Object.keys(others),
    })
    for (const job of Object.values(others)) expect(job.permissions).toBeUndefined()
  })

  it('drafts nothing before all tests have passed', () => {
    const called = workflow.jobs.tests?.uses ?? ''
    expect(called).toBe('./.github/workflows/full.yml')
    expect(workflow.jobs.draft?.needs).toContain('tests')
    const full = readFileSync(join(root, called), 'utf8')
    expect(full).toContain('workflow_call:')
    expect(full).toContain('run: npm run test:full')
  })

  it('never puts names from outside into a command, and shows secrets only to one step', () => {
    for (const command of commands) expect(command).not.toContain('${{')
    const secretive = steps.filter((step) => JSON.stringify(step).includes('secrets.'))
    expect(secretive).toHaveLength(1)
  })

  it('names only existing scripts and files, and no host except GitHub’s own variables', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const run = commands.flatMap((command) => [...command.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name))
    expect(run.sort()).toEqual(['dist', 'dist:npm'])
    for (const name of run) expect(scripts).toHaveProperty([name])
    for (const [path] of text.matchAll(/scripts\/[\w-]+\.mjs/g)) expect(existsSync(join(root, path)), path).toBe(true)
    expect(text).not.toMatch(/https?:\/\/|registry|\.(com|org|io)\b/)
  })

  it('gathers the feeds of all runners before any job may write, and publishes only the gathered ones', () => {
    const { collect, draft } = workflow.jobs
    expect(collect?.needs).toEqual(['desktop', 'server'])
    expect(collect?.steps?.flatMap(({ run }) => run ?? []).join('\n')).toContain(
      'scripts/update-feed.mjs artifacts release',
    )
    expect(JSON.stringify(draft?.steps)).toContain('"name":"release"')
    expect(text).toContain('dist/latest*.yml')
    for (const name of ['RELEASE_FEED', 'RELEASES_PAGE']) expect(text).toMatch(new RegExp(`^      ${name}: `, 'm'))
  })

  it('installs the package as a person does, runs its command, and uninstalls it without its data', () => {
    const said = commands.join('\n')
    for (const step of ['apt-get install -y -qq ./dist/*.deb', 'hdiutil attach', '"/S /D=$folder"', '"/S _?=$folder"'])
      expect(said).toContain(step)
    expect(said.match(/switchyard(\.cmd)?"? --version/g)).toHaveLength(4)
    expect(said).toContain('the data is gone')
  })

  it('attests the origin of the published files', () => {
    const attested = workflow.jobs.draft?.steps?.find(({ uses }) =>
      uses?.startsWith('actions/attest-build-provenance@'),
    )
    expect(attested).toMatchObject({ with: { 'subject-path': 'release/*' } })
  })

  it('publishes checksums and a bill of materials', () => {
    const said = commands.join('\n')
    expect(said).toContain('sha256sum -- *')
    expect(said).toContain('npm sbom --sbom-format=cyclonedx')
    expect(text).toContain('dist/sbom.cdx.json')
  })
})

describe('the workflows of tests', () => {
  const jobsOf = (name: string) => {
    const { jobs: found } = parse(readFileSync(join(root, '.github/workflows', name), 'utf8'))
    return found as Record<string, Job> // checked below
  }
  const commandsOf = (job: Job | undefined) => job?.steps?.flatMap(({ run }) => run ?? []) ?? []

  it.each([
    ['test.yml', 'gate', 'npm test'],
    ['full.yml', 'full', 'npm run test:full'],
  ])('%s has a keychain before it tests, so that no tests are left out', (file, job, command) => {
    const [keychain = '', ...more] = commandsOf(jobsOf(file)[job])
    for (const name of ['gnome-keyring', 'dbus', 'libsecret-1-0']) expect(keychain).toContain(` ${name}`)
    expect(more).toEqual([command])
  })

  it('check for known vulnerabilities in shipped packages', () => {
    expect(commandsOf(jobsOf('test.yml').audit)).toEqual(['npm audit --omit=dev --package-lock-only'])
  })
})
