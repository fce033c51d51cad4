import CompressedStreams
import TestSupport

/// A workbook for tests, written by hand.
struct WorkbookFile {
    struct Sheet {
        var name: String
        /// The elements in `sheetData`.
        var rows: String
        var state = "visible"
    }

    var sheets: [Sheet]
    /// The elements in `sst`.
    var texts: String?
    /// The formats of cells: numbers of built-in ones, or texts.
    var formats: [String] = []
    var isFrom1904 = false
    /// The prefix of all elements, with its colon.
    var prefix = ""

    init(_ rows: String) {
        sheets = [Sheet(name: "Sheet1", rows: rows)]
    }

    init(sheets: [Sheet]) {
        self.sheets = sheets
    }

    func bytes() throws -> [UInt8] {
        var writer = ZipWriter(deflate: { try RawDeflate.deflate($0) })
        func add(_ name: String, _ text: String) throws { try writer.add(name, Array(text.utf8)) }
        func relations(_ list: [(id: String, type: String, target: String)]) -> String {
            "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"
                + list.map {
                    "<Relationship Id='\($0.id)' Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/\($0.type)'"
                        + " Target='\($0.target)'/>"
                }.joined() + "</Relationships>"
        }
        try add("[Content_Types].xml", "<Types/>")
        try add("_rels/.rels", relations([("r", "officeDocument", "xl/workbook.xml")]))
        var parts = sheets.indices.map { ("s\($0)", "worksheet", "worksheets/sheet\($0).xml") }
        if texts != nil { parts.append(("t", "sharedStrings", "/xl/sharedStrings.xml")) }
        if !formats.isEmpty { parts.append(("f", "styles", "./styles.xml")) }
        try add("xl/_rels/workbook.xml.rels", relations(parts))
        let tabs = sheets.enumerated().map { place, sheet in
            "<\(prefix)sheet name='\(sheet.name)' sheetId='\(place + 1)' state='\(sheet.state)' r:id='s\(place)'/>"
        }
        try add(
            "xl/workbook.xml",
            element(
                "workbook",
                "<\(prefix)workbookPr date1904='\(isFrom1904)'/><\(prefix)sheets>\(tabs.joined())</\(prefix)sheets>"))
        for (place, sheet) in sheets.enumerated() {
            try add(
                "xl/worksheets/sheet\(place).xml",
                element("worksheet", "<\(prefix)sheetData>\(sheet.rows)</\(prefix)sheetData>"))
        }
        if let texts { try add("xl/sharedStrings.xml", element("sst", texts)) }
        if !formats.isEmpty { try add("xl/styles.xml", element("styleSheet", styles)) }
        return writer.finished()
    }

    private var styles: String {
        let named = formats.enumerated().filter { Int($1) == nil }
        let list = named.map { "<\(prefix)numFmt numFmtId='\(200 + $0)' formatCode='\($1)'/>" }
        let cells = formats.enumerated().map { place, format in
            "<\(prefix)xf numFmtId='\(Int(format) ?? 200 + place)'/>"
        }
        // Formats of styles, which cells do not refer to, come before.
        return
            "<\(prefix)numFmts>\(list.joined())</\(prefix)numFmts><\(prefix)cellStyleXfs><\(prefix)xf numFmtId='14'/>"
            + "</\(prefix)cellStyleXfs><\(prefix)cellXfs>\(cells.joined())</\(prefix)cellXfs>"
    }

    private func element(_ name: String, _ content: String) -> String {
        let namespace = prefix.isEmpty ? "xmlns" : "xmlns:\(prefix.dropLast())"
        return "<?xml version='1.0' encoding='UTF-8'?><\(prefix)\(name) "
            + "\(namespace)='http://schemas.openxmlformats.org/spreadsheetml/2006/main' "
            + "xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'>\(content)</\(prefix)\(name)>"
    }
}
