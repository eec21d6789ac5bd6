import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateRawSync, inflateSync } from 'node:zlib'
import assert from 'node:assert/strict'
import { parseDocument, DomUtils } from 'htmlparser2'

const DIRECTORY_END = 0x06054b50

/** The files of a ZIP archive by name, by its directory; `unzip` checks it too where it is installed. */
export function readZip(archive: Buffer): Map<string, Buffer> {
  checkWithUnzip(archive)
  const files = new Map<string, Buffer>()
  const end = archive.length - 22
  assert.equal(archive.readUInt32LE(end), DIRECTORY_END)
  let at = archive.readUInt32LE(end + 16)
  for (let entry = 0; entry < archive.readUInt16LE(end + 10); entry++) {
    const [crc, compressed, size] = [16, 20, 24].map((offset) => archive.readUInt32LE(at + offset))
    const nameBytes = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes)
    const start = archive.readUInt32LE(at + 42) + 30 + nameBytes
    const content = inflateRawSync(archive.subarray(start, start + compressed!))
    assert.equal(content.length, size)
    assert.equal(crc32(content), crc)
    files.set(name, content)
    at += 46 + nameBytes
  }
  return files
}

function checkWithUnzip(archive: Buffer): void {
  const folder = mkdtempSync(join(tmpdir(), 'report-'))
  try {
    const file = join(folder, 'report.xlsx')
    writeFileSync(file, archive)
    execFileSync('unzip', ['-tqq', file])
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Cells of the sheet of a workbook: texts, numbers, and null for empty ones. */
export function readSheet(archive: Buffer): (string | number | null)[][] {
  const xml = readZip(archive).get('xl/worksheets/sheet1.xml')!.toString('utf8')
  const document = parseDocument(xml, { xmlMode: true })
  return DomUtils.getElementsByTagName('row', document).map((row) =>
    DomUtils.getElementsByTagName('c', row.children).map((cell) => {
      const text = DomUtils.textContent(cell)
      if (cell.attribs['t'] === 'inlineStr') return unescape(text)
      return text === '' ? null : Number(text)
    }),
  )
}

function unescape(text: string): string {
  return text.replace(/_x([0-9A-F]{4})_/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** The texts of a page, one for each place, and the shapes that it draws; `pdftotext` is asked too where it is installed. */
export function readPdf(file: Buffer) {
  const source = file.toString('latin1')
  // Compressed bytes may end like a line: the length decides.
  const drawn = [...source.matchAll(/\/Length (\d+)\b[^]*?stream\r?\n/g)].map((head) =>
    inflateSync(file.subarray(head.index + head[0].length).subarray(0, Number(head[1]))).toString(
      'latin1',
    ),
  )
  const content = drawn.join('\n')
  const texts = Array.from(content.matchAll(/\[(.*?)\] TJ/g), ([, pieces]) =>
    Array.from(pieces!.matchAll(/<([0-9a-f]*)>/g), ([, hex]) => Buffer.from(hex!, 'hex'))
      .map((bytes) => new TextDecoder('windows-1252').decode(bytes))
      .join(''),
  )
  return {
    texts,
    program: extractText(file),
    bars: content.match(/ re\n/g)?.length ?? 0,
    pages: source.match(/\/Type \/Page\b/g)?.length ?? 0,
    images: source.match(/\/Subtype \/Image/g)?.length ?? 0,
  }
}

/** @returns null where the program is not installed */
function extractText(file: Buffer): string | null {
  try {
    return execFileSync('pdftotext', ['-', '-'], { input: file }).toString('utf8')
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') throw error
    return null
  }
}
