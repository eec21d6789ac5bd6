import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/* The rules of CONTRIBUTING about words and comments that a program can check. */

const ROOT = join(import.meta.dirname, '..')
const ALL = '{src,dashboard/src,demo,bench,test}/**/*.{ts,tsx}'

/** Words that no program uses, and their replacements. */
const EXCLUDED_WORDS: readonly [word: RegExp, replacement: string][] = [
  [/(?<!['`])\b(no|some|any|every)body\b|\b(some|any)one\b|\bno one\b/i, 'a component or a role'],
  [/\bwhoever\b|\bwhatever\b/i, 'the component that, any'],
  [/\banew\b/i, 'again'],
  [/\bmeanwhile\b|\bby (now|then)\b/i, 'already'],
  [/\bperhaps\b|\bseldom\b/i, 'sometimes, rarely'],
]
const BRITISH =
  /\b(colour|behaviour|favour|neighbour|catalogue|licence)|\b(recogni|normali|seriali|organi|optimi|initiali)s(e|ed|es|ing|ation)\b|\bcancelled\b/i

/** Terms of the rooms that have a standard name. */
const GLOSSARY: readonly [word: RegExp, replacement: string][] = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bdoors?\b/i, 'endpoint, route'],
  [/\bcrossings?\b|\bborder (token|identity)\b/i, 'trust boundary, ForwardedIdentity'],
  [/\b(deaf|hears?|hearing|heard)\b/i, 'disconnected, connected, receives'],
  [/\bpatien(ce|t)\b/i, 'timeout'],
  [/\bhold backs?\b/i, 'tarpit'],
  [/\bbells?\b/i, 'wake signal'],
  [/\bgive way\b/i, 'backlog pacer'],
  [/\bletters? (mail|sent)\b/i, 'mail template'],
  [/\bpath book\b/i, 'route index'],
  [/\bkeyrings?\b/i, 'API key management'],
  [/\blaws?\b/i, 'invariant'],
  [/\b(person|people|account holder)\b/i, 'user'],
  [/\bground\b/i, 'dependencies'],
]

/** Files written by hand; this one has the words that it looks for. */
function list(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT }).filter(
    (file) => !file.includes('.gen.') && file !== 'test/style.test.ts',
  )
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

test('no source file uses a word that the glossary replaces', () => {
  const inPrograms = list('{src,dashboard/src,demo,bench}/**/*.{ts,tsx}')
  const inRooms = list('src/**/*.ts')
  const found = [...findWords(inPrograms, EXCLUDED_WORDS), ...findWords(inRooms, GLOSSARY)]
  assert.deepEqual(found, [])
})

test('texts and names are spelled in American English', () => {
  assert.deepEqual(findWords(list(ALL), [[BRITISH, 'American spelling']]), [])
})

function findWords(
  files: readonly string[],
  words: readonly [word: RegExp, replacement: string][],
): string[] {
  return files.flatMap((file) => {
    const lines = textOf(file)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .split('\n')
    return words.flatMap(([word, replacement]) =>
      lines.flatMap((line, i) =>
        word.test(line) ? [`${file}:${i + 1}: ${line.trim()} (use: ${replacement})`] : [],
      ),
    )
  })
}

/** Lines on which a comment begins with a question word, and so without its subject. */
function findQuestions(file: string, text = textOf(file)): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, i) => {
    const before = lines[i - 1]?.trim() ?? ''
    const isOpening = before === '/**' || /^\s*\/(\*\*?|\/) /.test(line)
    const isContinued = /^\s*\/\/ /.test(line) && before.startsWith('//')
    const asks = /^\s*(\/\*\*?|\/\/|\*) (What|Who|Whose|How|Why|Which|Where)\b/.test(line)
    return asks && isOpening && !isContinued ? [`${file}:${i + 1}: ${line.trim()}`] : []
  })
}

test('comments open with a noun or a verb', () => {
  const questions = list(ALL).flatMap((file) => findQuestions(file))
  assert.deepEqual(questions, [])
})

test('the check of comments finds planted questions, and leaves their later lines alone', () => {
  const planted = `/** What it holds. */
/**
 * How it works,
 * Where it matters.
 */
// Why it waits: the lock
// Which of them is held
/** The rows. What follows is sorted. */
`
  assert.equal(findQuestions('src/base/planted.ts', planted).length, 3)
})
