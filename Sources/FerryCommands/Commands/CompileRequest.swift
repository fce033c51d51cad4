import CommandLineParsing
import ManagedObjectModels
import PersistentStores
import StoreMigration

/// A request to compile models.
struct CompileRequest {
    private let options: CompileOptions
    private let source: String
    private let output: String
    private let isBundle: Bool

    init(_ options: CompileOptions) throws(UsageError) {
        guard let output = options.output else { throw .missing("--output PATH") }
        let end = output.reversed().drop { $0 == "/" }
        isBundle = end.starts(with: ".momd".reversed())
        guard isBundle || end.starts(with: ".mom".reversed()) else {
            throw .badValue(output, of: "--output", expected: "a path that ends in .momd or .mom")
        }
        self.options = options
        self.output = output
        source = options.operands[0]
    }

    func run() throws -> ExitStatus {
        let target = try ModelOutput(path: output, source: source, isReplacing: options.isForced)
        let found = try ModelVersions(modelOrStoreAt: source, sources: options.sources.selection)
        let (bundle, versions) = try found.singleModel()
        let current = try options.version.map { try found.version($0) } ?? found.current()
        let isNamed = options.version != nil || bundle?.namesCurrentVersion ?? false
        let compiled = try CompiledModelBundle(
            isBundle ? versions : [current], currentVersionName: isNamed ? current.name : nil,
            moduleName: options.module)
        let localization = try bundle.map { try LocalizationFile.files(of: $0) } ?? LocalizationFile.files(of: current)
        let unreadable = localization.compactMap(\.problem)
        if isBundle {
            try target.write(compiled.files, with: localization)
        } else {
            try target.write(compiled.versions[0].bytes, with: localization)
        }
        let warnings = found.warnings + compiled.warnings + unreadable
        warnings.forEach { Console.note("warning: \($0)\n") }
        let report = CompilationReport(compiled, output: output, localization: localization)
        Console.print(options.isJSON ? try JSONText.text(report) : report.description)
        return warnings.contains(where: \.isLoss) || !unreadable.isEmpty ? .findings : .done
    }
}
