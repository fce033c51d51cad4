extension SourceFormat.Kind {
    /// Office Open XML workbooks, as written by Excel.
    public static let xlsx = Self(of: "xlsx")
}

/// Office Open XML workbooks, as written by Excel, LibreOffice and others.
struct SpreadsheetFormat: RecordFormat {
    let kind = SourceFormat.Kind.xlsx
    let title = "Excel"
    let fileExtensions = ["xlsx", "xlsm"]
    let keys = ["sheet", "header", "columns", "skipLines", "ragged"]
    let ownKeys = ["sheet"]
    let shape = RecordShape.flat
    var rendering: (any RecordRendering.Type)? { SpreadsheetSource.self }
    let isStream = false
    let rejectKind = SourceFormat.Kind.csv

    /// Returns whether an archive begins with a part of an Office Open XML document.
    func isCertain(_ start: [UInt8]) -> Bool {
        guard start.starts(with: [0x50, 0x4B, 0x03, 0x04]), start.count > 30 else { return false }
        let name = start[30..<min(start.count, 30 + Int(start[26]))]
        return ["[Content_Types].xml", "_rels/", "xl/", "docProps/"].contains { name.starts(with: $0.utf8) }
    }

    func columns(of path: String, _ format: SourceFormat, _ opening: SourceOpening) throws -> [String]? {
        let source = try SpreadsheetSource(path: path, options: options(format, opening.limits))
        if source.isEmpty { throw SourceError(.empty, in: path) }
        return source.columns.map(\.name)
    }

    func source(
        _ path: String, _ format: SourceFormat, fields: FieldCatalog, from position: RecordPosition?,
        _ opening: SourceOpening
    ) throws -> any RecordSource {
        try SpreadsheetSource(path: path, options: options(format, opening.limits), from: position)
    }

    private func options(_ format: SourceFormat, _ limits: RecordLimits) -> SpreadsheetSource.Options {
        var options = SpreadsheetSource.Options()
        options.sheet = format.texts["sheet"]
        options.skippedRows = format.skippedLines
        options.hasHeader = format.hasHeader ?? true
        options.columns = format.columns
        options.allowsLongRecords = format.allowsRaggedRecords
        options.limits = limits
        return options
    }

    /// Returns a sample of each visible sheet.
    func samples(of path: String, names: Set<String>, within limits: DraftLimits) throws -> [SourceSample] {
        let workbook = try Workbook(path: path)
        let shown = workbook.sheets.filter { !$0.isHidden }
        return try shown.map { sheet in
            var source = try SpreadsheetSource(workbook, sheet, options: SpreadsheetSource.Options())
            var records = SampledPart(columns: source.columns, limits: limits)
            var batch = RecordBatch(limits: limits.records)
            if try source.next(into: &batch) {
                for record in 0..<batch.count where batch[record].isReadable { records.add(record: record, of: batch) }
            }
            var format = SourceFormat(kind: .xlsx)
            if workbook.sheets.count > 1 { format.texts["sheet"] = sheet.name }
            return SourceSample(
                path: path, format: format, titles: [sheet.name, SourceSampler.stem(of: path)], records: records)
        }
    }
}
