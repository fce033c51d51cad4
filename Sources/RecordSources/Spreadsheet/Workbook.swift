import CompressedStreams
import DocumentReading

/// A workbook of Office Open XML (ECMA-376): the places of its sheets, shared texts and formats.
struct Workbook {
    struct Sheet {
        let name: String
        let isHidden: Bool
        /// The path in the archive.
        let part: String
    }

    let path: String
    let archive: ZipArchive
    /// The worksheets, in the order of their tabs.
    private(set) var sheets: [Sheet] = []
    private(set) var dates = SerialDate(isFrom1904: false)
    private var sharedTextsPart: String?
    private var stylesPart: String?

    /// A limit above the number of formats and sheets that programs support.
    private static let largestList = 1 << 17

    init(path: String) throws(SourceError) {
        self.path = path
        guard !StreamInput.isStream(path) else {
            throw SourceError(
                .notAWorkbook("it cannot be read from standard input or a pipe; save it as a file"), in: path)
        }
        do throws(ZipError) {
            archive = try ZipArchive(path: path)
        } catch {
            throw SourceError(.archive(error), in: path)
        }
        let root = try relations(of: "").first { $0.type == "officeDocument" }?.target ?? "xl/workbook.xml"
        guard archive.entry(named: root) != nil else {
            throw SourceError(
                .notAWorkbook("the archive has no workbook (xl/workbook.xml); give an .xlsx file"), in: path)
        }
        let relations = try relations(of: root)
        sharedTextsPart = relations.first { $0.type == "sharedStrings" }?.target
        stylesPart = relations.first { $0.type == "styles" }?.target
        try readSheets(root, relations)
    }

    /// Returns the sheet with a name, or the first visible sheet.
    func sheet(_ name: String?) throws(SourceError) -> Sheet {
        guard let name else {
            guard let sheet = sheets.first(where: { !$0.isHidden }) ?? sheets.first else {
                throw SourceError(.notAWorkbook("the workbook has no sheet with cells"), in: path)
            }
            return sheet
        }
        guard let sheet = sheets.first(where: { $0.name == name }) else {
            throw SourceError(.noSheet(name, known: sheets.map(\.name)), in: path)
        }
        return sheet
    }

    func part(_ name: String, limits: RecordLimits = RecordLimits()) throws(SourceError) -> WorkbookPart {
        guard let entry = archive.entry(named: name) else {
            throw SourceError(.notAWorkbook("the workbook has no part \(name); get an intact copy"), in: path)
        }
        return try WorkbookPart(entry, of: archive, path: path, limits: limits)
    }

    // MARK: Relations

    private struct Relation {
        let id: String
        /// The last component of the type's URI.
        let type: String
        let target: String
    }

    /// Returns the relations of a part, with paths from the root of the archive.
    private func relations(of part: String) throws(SourceError) -> [Relation] {
        let folders = part.split(separator: "/").dropLast()
        let name = (folders + ["_rels", (part.split(separator: "/").last ?? "") + ".rels"]).joined(separator: "/")
        guard archive.entry(named: name) != nil else { return [] }
        var document = try self.part(name)
        var relations: [Relation] = []
        while let event = try document.next() {
            guard event == .startElement, document.name == "Relationship",
                let id = document.attribute("Id"), let target = document.attribute("Target")
            else { continue }
            let type = document.attribute("Type")?.split(separator: "/").last.map(String.init) ?? ""
            relations.append(Relation(id: id, type: type, target: Self.path(target, from: Array(folders))))
            try checkCount(relations.count, name)
        }
        return relations
    }

    /// Returns the path of a target, which is relative to the folder of its part unless it begins with a slash.
    private static func path(_ target: String, from folders: [Substring]) -> String {
        var parts = target.hasPrefix("/") ? [] : folders
        for part in target.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }

    private mutating func readSheets(_ root: String, _ relations: [Relation]) throws(SourceError) {
        let parts = Dictionary(relations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var document = try part(root)
        while let event = try document.next() {
            guard event == .startElement else { continue }
            switch document.name {
            case "workbookPr":
                dates = SerialDate(isFrom1904: ["1", "true", "on"].contains(document.attribute("date1904") ?? ""))
            case "sheet":
                guard let name = document.attribute("name"), let id = document.attribute("id"),
                    let relation = parts[id], relation.type == "worksheet"
                else { continue }
                let isHidden = (document.attribute("state") ?? "visible") != "visible"
                sheets.append(Sheet(name: name, isHidden: isHidden, part: relation.target))
                try checkCount(sheets.count, root)
            default: continue
            }
        }
    }

    // MARK: Texts and formats

    func sharedTexts(limits: SharedTexts.Limits, _ records: RecordLimits) throws(SourceError) -> SharedTexts {
        var texts = SharedTexts(limits: limits)
        guard let sharedTextsPart, archive.entry(named: sharedTextsPart) != nil else { return texts }
        var document = try part(sharedTextsPart, limits: records)
        do {
            while let event = try document.next() {
                guard event == .startElement, document.name == "si" else { continue }
                try texts.append(try CellText.read(&document))
            }
            try texts.finish()
        } catch let failure as SharedTexts.SystemFailure {
            throw SourceError(.cannotWrite(systemError: failure.number), in: "the folder for temporary files")
        } catch let error as SourceError {
            throw error
        } catch {
            throw SourceError(.malformedDocument("\(error)"), in: path)
        }
        return texts
    }

    /// Returns the forms of numbers, by the number of a cell's format.
    func cellForms() throws(SourceError) -> [CellForm] {
        guard let stylesPart, archive.entry(named: stylesPart) != nil else { return [] }
        var document = try part(stylesPart)
        var named: [Int: CellForm] = [:]
        var forms: [CellForm] = []
        var isInCellFormats = false
        while let event = try document.next() {
            switch (event, document.name) {
            case (.startElement, "numFmt"):
                guard let number = document.attribute("numFmtId").flatMap({ Int($0) }) else { continue }
                named[number] = CellForm(format: document.attribute("formatCode") ?? "")
            case (.startElement, "cellXfs"): isInCellFormats = true
            case (.endElement, "cellXfs"): isInCellFormats = false
            case (.startElement, "xf") where isInCellFormats:
                let number = document.attribute("numFmtId").flatMap { Int($0) } ?? 0
                forms.append(named[number] ?? CellForm(builtIn: number))
            default: continue
            }
            try checkCount(max(forms.count, named.count), stylesPart)
        }
        return forms
    }

    private func checkCount(_ count: Int, _ part: String) throws(SourceError) {
        guard count <= Self.largestList else {
            throw SourceError(.notAWorkbook("\(part) has more than \(Self.largestList) entries"), in: path)
        }
    }
}
