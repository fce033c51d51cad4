import FuzzDriving
import ImportMappings
import MappingDrafting
import RecordSources

/// Everything that is imported: records of each format, mappings of imports, drafts of them.
///
/// The first two bytes of an input choose the options, so that they are searched too.
@main struct FuzzSources {
    static func main() {
        FuzzDriver.run([
            "csv": { try delimited(SourceInput($0)) },
            "draft": { try draft(SourceInput($0)) },
            "importmap": { try mapping($0) },
            "json": { try json(SourceInput($0)) },
            "spool": { try SpoolInput($0).assemble() },
            "xmlsource": { try xml(SourceInput($0)) },
        ])
    }

    private static func delimited(_ input: SourceInput) throws {
        var options = DelimitedOptions()
        options.allowsShortRecords = input.isChosen(4)
        options.allowsLongRecords = input.isChosen(8)
        if input.isChosen(16) {
            options.delimiter = ","
            options.hasHeader = input.isChosen(32)
        }
        if input.isChosen(64) { options.skippedLines = input.number % 4 }
        if input.isChosen(128) {
            let names = ["UTF-8", "UTF-16", "windows-1252", "Shift_JIS", "UTF-16LE", "ISO-2022-JP", "UTF-7", "GB18030"]
            options.encoding = TextEncoding(named: names[input.number % names.count])
        }
        var source = try DelimitedSource(input.bytes("t.csv"), options: options)
        try input.drain(&source)
    }

    private static func json(_ input: SourceInput) throws {
        var options = JSONOptions()
        options.recordPath = input.isChosen(4) ? "data.items" : nil
        options.duplicateKeys = input.isChosen(8) ? .reject : .keepFirst
        options.layout = [nil, .array, .lines, .concatenated][input.number % 4]
        var names = FieldNames()
        let paths = try ["a", "b[*]", "c.d"].map { try RecordPath($0, names: &names) }
        var source = try JSONSource(input.bytes("t.json"), options: options, paths: paths, names: names)
        try input.drain(&source)
    }

    private static func xml(_ input: SourceInput) throws {
        var names = FieldNames()
        let paths = try ["b[*]", "@x", "text()"].map { try RecordPath($0, names: &names) }
        var source = try XMLSource(
            bytes: input.content, name: "t.xml",
            options: XMLOptions(recordPath: ["//r", "/a/r", "*", "n:r"][input.number % 4]), paths: paths, names: names)
        try input.drain(&source)
    }

    /// What can be read says the same when it is written and read again.
    private static func mapping(_ bytes: [UInt8]) throws {
        let mapping = try ImportMappingReader.read(bytes: bytes, name: "m.yaml").mapping
        let text = ImportMappingWriter.yaml(mapping)
        precondition(
            (try? ImportMappingReader.read(bytes: Array(text.utf8), name: "again").mapping) == mapping,
            "written and read, the mapping is another: \(text)")
    }

    /// Resolved once: inputs are files, not models.
    private static let model = Result { try SampleModel.model() }

    private static func draft(_ input: SourceInput) throws {
        let ending = ["csv", "json", "xml", "tsv"][input.number % 4]
        let path = FuzzDriver.write(input.content, as: "draft." + ending)
        let entity = input.isChosen(4) ? "A" : nil
        let draft = try MappingDrafter(model: model.get(), entity: entity).draft(of: [path])
        precondition(
            (try? ImportMappingReader.read(bytes: Array(draft.yaml.utf8), name: "again").mapping) == draft.mapping,
            "written and read, the draft is another: \(draft.yaml)")
    }
}
