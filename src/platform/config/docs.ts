import { SETTINGS } from './config.ts'

const WIDTH = 96

/** `.env.example`, from the settings table. Each commented line holds the default, so that uncommenting it changes nothing. */
export function renderEnvExample(): string {
  const blocks = rows().map(({ name, literal, shown, description }) => {
    const hint = literal === '' && shown !== '' ? ` Default: ${shown}.` : ''
    return `${wrap(description + hint)}\n#${name}=${literal}\n`
  })
  return `# Every setting of Signpost, with its default; put them into a file named .env.
# Generated from src/platform/config/config.ts.\n\n${blocks.join('\n')}`
}

/** `docs/configuration.md`, from the settings table. */
export function renderConfigurationDoc(): string {
  const lines = rows().map(
    ({ name, shown, description }) =>
      `| \`${name}\` | ${shown === '' ? '' : `\`${shown}\``} | ${description} |`,
  )
  return `# Configuration

Every setting is an environment variable, or a line of a file named \`.env\` in the folder of Signpost, whose names
are checked at the start; the environment wins. None is required. This page and \`.env.example\` are
generated from \`src/platform/config/config.ts\` by \`npm run -s signpost -- config --write\`. A value that does not
parse stops the start with a message that names the variable.

| Variable | Default | What it does |
|---|---|---|
${lines.join('\n')}
`
}

function rows() {
  return Object.values(SETTINGS).map((row) => ({
    name: row.name,
    /** The default as the variable's own value; empty when it has no plain text. */
    literal: row.fallback === null || Array.isArray(row.fallback) ? '' : shownDefault(row),
    shown: shownDefault(row),
    description: row.description,
  }))
}

function shownDefault(row: (typeof SETTINGS)[keyof typeof SETTINGS]): string {
  return 'shown' in row && row.shown !== undefined ? row.shown : String(row.fallback)
}

function wrap(text: string): string {
  const lines = ['#']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    if (last.length + word.length + 1 > WIDTH) lines.push(`# ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}
