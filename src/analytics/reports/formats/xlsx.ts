import { ApiError } from '../../../platform/core/errors.ts'
import { cutPages, toText, type Cell, type Part, type Table } from './table.ts'
import { writeZip } from '../../../platform/core/zip.ts'

const MAX_ROWS = 1_048_575
const MAX_CHARS = 32_767
const HEADER_STYLE = 1
const QUOTED_STYLE = 2
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts of a workbook beside its one sheet (ECMA-376). Styles by number: 0 the default, 1 the header, 2 a text that begins like a formula. */
const PARTS = {
  '[Content_Types].xml': `<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Report" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/></cellXfs></styleSheet>`,
} as const

/**
 * A workbook with one sheet. Texts are cells of the type text, which no spreadsheet takes for a formula. Rows are
 * written while they are read, so that a sheet needs no more memory than a page of them.
 * @throws ApiError PAYLOAD_TOO_LARGE for more rows than a sheet has
 */
export async function* writeXlsx(table: Table): AsyncGenerator<Part> {
  let rows = 0
  let done = 0
  async function* sheet() {
    yield `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
    yield toRow(table.columns, HEADER_STYLE)
    let written = 0
    for await (const page of cutPages(table.pages)) {
      written += page.rows.length
      if (written > MAX_ROWS)
        throw new ApiError(
          'PAYLOAD_TOO_LARGE',
          `A spreadsheet has at most ${MAX_ROWS.toLocaleString('en')} rows, and the report has more. Ask for the format csv.`,
        )
      yield page.rows.map((row) => toRow(row)).join('')
      rows += page.rows.length
      done = page.done
    }
    yield '</sheetData></worksheet>'
  }
  const parts = Object.entries(PARTS).map(([name, xml]) => ({ name, content: [DECLARATION + xml] }))
  for await (const content of writeZip([
    ...parts,
    { name: 'xl/worksheets/sheet1.xml', content: sheet() },
  ])) {
    yield { content, rows, done }
    rows = 0
  }
}

function toRow(cells: readonly Cell[], style?: number): string {
  return `<row>${cells.map((cell) => toCell(cell, style)).join('')}</row>`
}

/** Characters at the beginning of a text by which an editor of the cell would take it for a formula. */
const FORMULA = /^[=+\-@]/

function toCell(cell: Cell, style?: number): string {
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  const text = toText(cell).slice(0, MAX_CHARS)
  if (text === '') return '<c/>'
  const number = style ?? (FORMULA.test(text) ? QUOTED_STYLE : 0)
  return `<c s="${number}" t="inlineStr"><is><t xml:space="preserve">${escape(text)}</t></is></c>`
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Markup, control characters, which XML does not have or a reader changes, and text that reads like an escape. */
const SPECIAL = /[&<>\ufffe\uffff]|(?![\t\n])\p{Cc}|_(?=x[0-9A-Fa-f]{4}_)/gu

/** Escapes a text as ECMA-376 (22.4.2.4, ST_Xstring) does: `_x000D_`. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replace(
      SPECIAL,
      (char) =>
        ESCAPES[char] ?? `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
}
