import { expect, it } from 'vitest'
import { leaveAppImage } from '../../main/app-image-self.ts'

const FILE = '/home/ada/Switchyard.AppImage'
const MOUNT = '/tmp/.mount_SwitchA1b2'
const OF_RUNTIME = { APPIMAGE: FILE, APPDIR: MOUNT, ARGV0: './Switchyard.AppImage', OWD: '/home/ada' }

it('programs that are opened from an AppImage get nothing of it, and all that was there before it', () => {
  const environment = {
    ...OF_RUNTIME,
    HOME: '/home/ada',
    PATH: `${MOUNT}:${MOUNT}/usr/sbin:/usr/bin:${MOUNT}2/bin:`,
    LD_LIBRARY_PATH: `${MOUNT}/usr/lib:/opt/cuda/lib`,
    XDG_DATA_DIRS: `${MOUNT}/usr/share/:/var/lib/flatpak/exports/share:/usr/share/`,
    GSETTINGS_SCHEMA_DIR: `${MOUNT}/usr/share/glib-2.0/schemas`,
  }
  expect(leaveAppImage(environment, `${MOUNT}/switchyard`)).toBe(FILE)
  expect(environment).toEqual({
    HOME: '/home/ada',
    PATH: `/usr/bin:${MOUNT}2/bin:`,
    LD_LIBRARY_PATH: '/opt/cuda/lib',
    XDG_DATA_DIRS: '/var/lib/flatpak/exports/share:/usr/share/',
  })
})

it.each([
  ['none', { PATH: '/usr/bin', ARGV0: 'sh', OWD: '/' }],
  ['that of a terminal', { ...OF_RUNTIME, PATH: `${MOUNT}/bin:/usr/bin`, LD_LIBRARY_PATH: `${MOUNT}/usr/lib` }],
])('a program that runs from no AppImage of its own keeps its environment: %s', (_, given) => {
  const environment = { ...given }
  expect(leaveAppImage(environment, '/opt/Switchyard/switchyard')).toBeUndefined()
  expect(environment).toEqual(given)
})
