import CommandLineParsing
import ManagedObjectModels
import PersistentStores
import StoreMigration
import SwiftDataModels

/// A request to decompile models.
struct DecompileRequest {
    private let options: DecompileOptions
    private let source: String
    private let output: String
    private let isBundle: Bool

    /// The files that were written, for scripts.
    private struct Report: Encodable {
        let output: String
        let versions: [String]
        let currentVersion: String?
    }

    init(_ options: DecompileOptions) throws(UsageError) {
        guard let output = options.output else { throw .missing("--output PATH") }
        let end = output.reversed().drop { $0 == "/" }
        isBundle = end.starts(with: ".xcdatamodeld".reversed())
        if options.form == .swiftdata {
            guard end.starts(with: ".swift".reversed()) else {
                throw .badValue(output, of: "--output", expected: "a path that ends in .swift")
            }
        } else if !isBundle, !end.starts(with: ".xcdatamodel".reversed()) {
            throw .badValue(output, of: "--output", expected: "a path that ends in .xcdatamodeld or .xcdatamodel")
        }
        self.options = options
        self.output = output
        source = options.operands[0]
    }

    func run() throws -> ExitStatus {
        let isSwift = options.form == .swiftdata
        if isSwift { try CommandOutput.check(output, isReplacing: options.isForced) }
        var versions: [(name: String, document: ModelDocument)] = []
        var current: String?
        var localization: [LocalizationFile] = []
        var notes: [ModelWarning] = []
        if FileSystem.isDatabase(source) {
            let own = try StoreModel.document(of: SQLiteStore(path: source))
            versions = [(baseName, own.document)]
            current = baseName
            notes = own.warnings
        } else {
            let found = try ModelVersions(modelOrStoreAt: source, sources: options.sources.selection)
            let (bundle, all) = try found.singleModel()
            for version in all { versions.append((version.name, try version.document())) }
            // A bundle with one version does not name a current version, and neither does its source.
            current = bundle.map { $0.namesCurrentVersion ? $0.currentVersionName : nil } ?? all[0].name
            localization = try bundle.map { try LocalizationFile.files(of: $0) } ?? LocalizationFile.files(of: all[0])
            notes = found.warnings
            if isBundle, current == nil, versions.count > 1 {
                notes.append(ModelWarning(.noCurrentVersion, path: source))
            }
        }
        if isSwift { return try writeSwift(versions, notes) }
        let target = try ModelOutput(path: output, source: source, isReplacing: options.isForced)
        if !isBundle, versions.count > 1 {
            let expected = "a path that ends in .xcdatamodeld, as there are \(versions.count) versions"
            throw UsageError.badValue(output, of: "--output", expected: expected)
        }
        let written = try SourceModelBundle(versions, currentVersionName: current)
        let files = isBundle ? written.files : [ModelFile(path: "contents", bytes: written.files[0].bytes)]
        try target.write(files, with: localization)
        (notes + written.warnings).forEach { Console.note("warning: \($0)\n") }
        let report = Report(
            output: output, versions: versions.map(\.name), currentVersion: isBundle ? current : nil)
        let sentence = "Wrote \(output): \(report.versions.joined(separator: ", "))\n"
        Console.print(options.isJSON ? try JSONText.text(report) : sentence)
        return (notes + written.warnings).contains(where: \.isLoss) ? .findings : .done
    }

    private func writeSwift(
        _ versions: [(name: String, document: ModelDocument)], _ notes: [ModelWarning]
    ) throws -> ExitStatus {
        let written = try SwiftDataWriter(versions)
        try CommandOutput.write(written.text, to: output, isReplacing: options.isForced)
        (notes + written.warnings).forEach { Console.note("warning: \($0)\n") }
        let report = Report(output: output, versions: versions.map(\.name), currentVersion: nil)
        let sentence = "Wrote \(output): \(report.versions.joined(separator: ", "))\n"
        Console.print(options.isJSON ? try JSONText.text(report) : sentence)
        return (notes + written.warnings).contains(where: \.isLoss) ? .findings : .done
    }

    /// The name of the output without its extension, for the model of a store, which has no name.
    private var baseName: String {
        let name = FileSystem.name(of: output)
        return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }
}
