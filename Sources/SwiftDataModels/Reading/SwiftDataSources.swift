import DocumentReading
public import ManagedObjectModels

/// The SwiftData models that Swift sources declare.
public struct SwiftDataSources: Sendable {
    /// The path of the sources.
    public let path: String

    /// The files and folders that are read.
    let paths: [String]
    let declarations: SwiftDeclarations
    let schemas: [SwiftDataSchema]
    let plans: [SwiftDataMigrationPlan]
    let selection: SwiftDataSelection
    /// The rules learned from stores about properties without a confirmed rule.
    let rules: SwiftDataRules
    let fileWarnings: [ModelWarning]

    /// The maximum size of one file, and of all files together, in bytes.
    static let maximumFileSize = 64 << 20
    static let maximumSize = 1 << 30

    /// Reads Swift files, and all files in folders except tests, together; nil if they contain no model class.
    /// - Throws: `ModelError` if a file cannot be read, or if it cannot be determined which classes form a version.
    public init?(paths: [String], selection: SwiftDataSelection = SwiftDataSelection()) throws(ModelError) {
        var finder = try SwiftFileFinder(excluding: selection.excluded)
        for path in paths { try finder.search(path) }
        self.paths = paths
        let path = Self.commonFolder(of: paths)
        var parts: [(file: SwiftDeclarations.File, declarations: SwiftFileDeclarations)] = []
        var size = 0
        var hasModels = false
        for file in finder.files {
            let bytes: [UInt8]
            do throws(DocumentError) {
                bytes = try SourceText(path: file.path, maximumSize: Self.maximumFileSize).bytes
            } catch {
                throw ModelError(.unreadable(error.sentence), path: file.path)
            }
            size += bytes.count
            guard size <= Self.maximumSize else {
                throw ModelError(.unreadable("the sources have more than \(Self.maximumSize) bytes"), path: path)
            }
            hasModels = hasModels || Self.mayDeclareModel(bytes)
            parts.append(
                (
                    file,
                    SwiftDeclarationScanner.declarations(
                        in: bytes, file: parts.count, defined: selection.conditions)
                ))
        }
        let declarations = SwiftDeclarations(parts)
        guard hasModels, declarations.types.contains(where: \.isModel) else { return nil }
        self.path = path
        self.declarations = declarations
        self.selection = selection
        rules = try Self.rules(paths, selection)
        fileWarnings = finder.warnings
        let schemaFinder = SchemaFinder(declarations: declarations)
        plans = schemaFinder.plans()
        schemas = try Self.schemas(schemaFinder, plans, selection, path: path)
    }

    /// Returns the only path, or the folder that contains all.
    private static func commonFolder(of paths: [String]) -> String {
        guard var common = paths.first?.split(separator: "/", omittingEmptySubsequences: false), paths.count > 1 else {
            return paths.first ?? ""
        }
        common.removeLast()
        for path in paths.dropFirst() {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            common = zip(common, parts).prefix { $0 == $1 }.map(\.0)
        }
        return common.isEmpty ? "." : common == [""] ? "/" : common.joined(separator: "/")
    }

    /// Returns whether there are Swift sources at a path: a Swift file, or a folder that is not a model and contains
    /// some.
    public static func areThere(at path: String) -> Bool {
        guard let kind = FileKind(path: path) else { return false }
        if kind == .file { return path.hasSuffix(".swift") }
        let name = NamedPath(path).text
        guard kind == .folder, ![".xcdatamodeld", ".xcdatamodel", ".momd"].contains(where: name.hasSuffix) else {
            return false
        }
        var finder = try? SwiftFileFinder()
        try? finder?.search(path)
        return finder?.files.isEmpty == false
    }

    private static func mayDeclareModel(_ bytes: [UInt8]) -> Bool {
        let name = Array("Model".utf8)
        var start = 0
        while let place = bytes[start...].firstIndex(of: UInt8(ascii: "@")) {
            start = place + 1
            let rest = bytes[start...].prefix(15)
            if rest.starts(with: name) || rest.starts(with: Array("SwiftData.Model".utf8)) { return true }
        }
        return false
    }
}
