import { type Locale, languageTag } from '../shared/messages/locales.ts'

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** A plain HTML page without scripts, in the system's light or dark theme. `content` is HTML, `title` is text. */
export const plainPage = (locale: Locale, title: string, content: string): string => `<!doctype html>
<html lang="${languageTag(locale)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>`

const style = `
:root { --ink: #1c2127; --soft: #5f6b7c; --ground: #f6f7f9; --card: #fff; --line: #d3d8de; --act: #2d72d2; --good: #1c6e42; --bad: #ac2f33 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f6f7f9; --soft: #abb3bf; --ground: #1c2127; --card: #2f343c; --line: #404854; --good: #72ca9b; --bad: #fa999c }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/1.5 system-ui, sans-serif }
main { max-width: 680px; margin: 0 auto; padding: 24px 20px 40px }
header { display: flex; align-items: start; justify-content: space-between; gap: 16px; margin-bottom: 8px }
h1 { margin: 0; font-size: 26px; line-height: 1.25 }
h2 { margin: 24px 0 8px; font-size: 14px }
p, ol { margin: 0 }
ol { padding-left: 20px }
li + li, p + ol, ol + p { margin-top: 6px }
.what { font-size: 16px }
.what + pre, .what + p:not(.do), pre + p:not(.do) { margin-top: 12px }
header a { flex: none }
.do { display: flex; flex-wrap: wrap; gap: 10px; margin-top: 24px }
a { display: inline-block; padding: 6px 14px; border: 1px solid var(--line); border-radius: 4px; color: inherit; text-decoration: none }
a.first { border-color: var(--act); background: var(--act); color: #fff }
a:focus-visible { outline: 2px solid var(--act); outline-offset: 2px }
dl, pre, table { width: 100%; margin: 0; border: 1px solid var(--line); border-radius: 4px; background: var(--card) }
dl > div { display: flex; justify-content: space-between; gap: 16px; padding: 6px 12px }
dl > div + div { border-top: 1px solid var(--line) }
dd { margin: 0; color: var(--soft) }
dd.fine { color: var(--good) }
dd.wrong { color: var(--bad); font-weight: 600 }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
td { padding: 6px 12px }
td:first-child { overflow-wrap: anywhere }
td a { white-space: nowrap }
@media (max-width: 480px) { tr { display: flex; flex-wrap: wrap; align-items: center; padding: 4px 0 } td { padding: 2px 12px } }
.number { text-align: right }
pre { padding: 10px 12px; overflow-wrap: anywhere; white-space: pre-wrap; font: 13px/1.5 ui-monospace, monospace }
.what, li { overflow-wrap: anywhere }
`
